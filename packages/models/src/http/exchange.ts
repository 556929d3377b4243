import type { ClientRequest, IncomingMessage } from 'node:http';
import { type ProxyRoute, proxyRoute, shownProxy } from '@countersign/host';
import { ModelError } from '../provider.js';
import { answerFailure } from './answer-failure.js';
import { HTTP_LIMITS, type HttpCall, type HttpLimits } from './call.js';
import { connectionFailure } from './connection-failure.js';
import { jsonBytes } from './json-bytes.js';
import { oneLine } from './one-line.js';
import { retryAfterMs } from './retry-after.js';
import { type Transport, transportFor } from './transport.js';
import { Watch } from './watch.js';

/** Beyond the largest answer with images that providers give; a server that sends more is broken. */
const ANSWER_BYTES_MAX = 256 * 1024 * 1024;
/** The reason is in the first lines. */
const ERROR_BYTES_MAX = 64 * 1024;

/**
 * Sends a request and yields the bytes of a good answer as they arrive. Throws `ModelError` for everything else, or
 * what the signal was aborted with. Stopping early closes the connection; read to the end to keep it.
 */
export async function* exchange(call: HttpCall, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  signal.throwIfAborted();
  const attempt: Attempt = {
    call,
    limits: { ...HTTP_LIMITS, ...call.limits },
    watch: new Watch(signal),
    reached: false,
  };
  try {
    const response = await answerTo(attempt);
    if (isGood(response) && isPage(response)) throw notOurs(response, call);
    if (isGood(response)) yield* bytesOf(response, attempt, ANSWER_BYTES_MAX);
    else throw await refusal(response, attempt);
  } catch (error) {
    if (attempt.watch.stopped) throw attempt.watch.stopped.reason;
    if (error instanceof ModelError) throw error;
    throw new ModelError(connectionFailure(call, attempt.reached, error));
  } finally {
    attempt.watch.end();
  }
}

type Attempt = {
  readonly call: HttpCall;
  readonly limits: HttpLimits;
  readonly watch: Watch;
  /** Whether there was a connection: what fails after that was cut, not out of reach. */
  reached: boolean;
};

/** Without an agent: over a connection of its own. */
type Over = Omit<Transport, 'agent'> & { readonly agent: Transport['agent'] | false };

async function answerTo(attempt: Attempt): Promise<IncomingMessage> {
  const url = new URL(attempt.call.url);
  const transport = await transportFor(url);
  if (attempt.watch.stopped) throw attempt.watch.stopped.reason;
  const kept = send(url, attempt, transport);
  try {
    return await headOf(kept, attempt, transport.route);
  } catch (error) {
    // The server closed the connection while it was idle, and we wrote into the void: that says nothing about it.
    if (!kept.reusedSocket || attempt.watch.stopped) throw error;
    const single = transport.route && (await proxyRoute(url, 'single'));
    const over: Over = { ...transport, agent: single?.options.agent ?? false };
    return headOf(send(url, attempt, over), attempt, transport.route);
  }
}

function send(url: URL, { call, watch }: Attempt, { request, agent, route }: Over): ClientRequest {
  const body = call.body === null ? null : jsonBytes(call.body);
  const sent = request(url, {
    ...route?.options,
    method: body === null ? 'GET' : 'POST',
    agent,
    ...(route && { signal: watch.signal }),
    headers: {
      // A compressed stream would have to be flushed after every event; few servers do.
      'accept-encoding': 'identity',
      'user-agent': 'countersign',
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...call.headers,
      ...route?.options.headers,
    },
  });
  watch.over(sent);
  sent.end(body ?? undefined);
  return sent;
}

function headOf(sent: ClientRequest, attempt: Attempt, route: ProxyRoute | null): Promise<IncomingMessage> {
  const { call, limits, watch } = attempt;
  attempt.reached = false;
  watch.expect(limits.connectMs, () => {
    const through = route === null ? '' : ` through ${shownProxy(route.proxy)}`;
    const problem = `no connection to ${new URL(call.url).origin}${through} within ${limits.connectMs} ms`;
    const proxy = route && { proxy: route.proxy.variable };
    return new ModelError({ code: 'model_unreachable', provider: call.provider, problem, ...proxy });
  });
  const connected = () => {
    attempt.reached = true;
    watch.expect(limits.headersMs, silence(call, limits.headersMs));
  };
  return new Promise((resolve, reject) => {
    sent.once('socket', (socket) => {
      if (sent.reusedSocket || route !== null) return connected();
      // An exchange that is stopped in the instant of its end has no other listener.
      socket.on('error', () => {});
      socket.once(call.url.startsWith('https:') ? 'secureConnect' : 'connect', connected);
    });
    sent.once('response', (response) => {
      const refusal = route?.refusal(response.statusCode) ?? null;
      if (refusal === null) return resolve(response);
      response.destroy();
      attempt.reached = false;
      reject(refusal);
    });
    // Stays for as long as the request: an error without a listener would end the program.
    sent.on('error', reject);
  });
}

async function* bytesOf(
  response: IncomingMessage,
  { call, limits, watch }: Attempt,
  bytesMax: number,
): AsyncGenerator<Uint8Array> {
  const orElse = silence(call, limits.idleMs);
  let bytes = 0;
  watch.expect(limits.idleMs, orElse);
  for await (const chunk of response) {
    if (!(chunk instanceof Uint8Array)) continue;
    bytes += chunk.length;
    if (bytes > bytesMax) {
      const problem = `it was longer than ${bytesMax} bytes`;
      throw new ModelError({ code: 'model_cut_off', provider: call.provider, problem });
    }
    watch.rest();
    yield chunk;
    if (watch.stopped) throw watch.stopped.reason;
    watch.expect(limits.idleMs, orElse);
  }
}

async function refusal(response: IncomingMessage, attempt: Attempt): Promise<ModelError> {
  const { call } = attempt;
  const { headers, statusCode: status = 0 } = response;
  if (status >= 300 && status < 400) {
    response.destroy();
    const message = 'it responds with a redirect, which is not followed because the key would be sent along';
    return new ModelError({ code: 'model_rejected', provider: call.provider, status, message });
  }
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of bytesOf(response, attempt, ERROR_BYTES_MAX)) chunks.push(chunk);
  } catch (error) {
    if (attempt.watch.stopped) throw error;
    // What came until then has to do: the status counts, not how well it was explained.
  }
  const body = Buffer.concat(chunks).toString('utf8');
  const wait = waitOf(headers);
  return new ModelError(answerFailure(call, { status, retryAfterMs: wait, body }));
}

function waitOf(headers: IncomingMessage['headers']): number | null {
  const milliseconds = Number(headers['retry-after-ms'] ?? Number.NaN);
  if (milliseconds >= 0) return milliseconds;
  return retryAfterMs(headers['retry-after'], Date.now());
}

/** A portal or a proxy answers in place of the server with a page for people: asking again gives the same one. */
const isPage = ({ headers }: IncomingMessage): boolean =>
  /^(?:text\/html|application\/xhtml\+xml|(?:text|application)\/xml)\b/i.test(headers['content-type'] ?? '');

function notOurs(response: IncomingMessage, { provider, url, credential }: HttpCall): ModelError {
  response.destroy();
  const contentType = oneLine(response.headers['content-type'] ?? '', credential);
  const problem = `${new URL(url).origin} sent a page of the type ${contentType} instead of a response of the model`;
  return new ModelError({ code: 'model_nonsense', provider, problem, excerpt: '', contentType });
}

const isGood = ({ statusCode = 0 }: IncomingMessage) => statusCode >= 200 && statusCode < 300;

const silence =
  ({ provider }: HttpCall, afterMs: number) =>
  () =>
    new ModelError({ code: 'model_silent', provider, afterMs });
