import type { IncomingMessage, RequestOptions } from 'node:http';
import { type ProxyRoute, proxyRoute } from './proxy-route.js';

/**
 * `fetch` that honours the proxy of the environment, which the one of Node does not. Redirects are never followed. Fails as
 * `fetch` does: with the signal's reason, or a TypeError that has a cause.
 */
export async function proxiedFetch(url: URL, init: RequestInit = {}): Promise<Response> {
  const route = await proxyRoute(url, 'kept').catch(failed);
  if (route === null) return fetch(url, { ...init, redirect: 'manual' });
  const asked = new Request(url, init);
  asked.signal.throwIfAborted();
  const body = asked.body === null ? null : Buffer.from(await asked.arrayBuffer());
  try {
    const answer = await send(url, asked, body, route);
    const refusal = route.refusal(answer.statusCode);
    if (refusal === null) return responseOf(answer);
    answer.destroy();
    throw refusal;
  } catch (error) {
    asked.signal.throwIfAborted();
    return failed(error);
  }
}

function failed(error: unknown): never {
  throw new TypeError('fetch failed', { cause: error });
}

async function send(
  url: URL,
  { method, headers, signal }: Request,
  body: Buffer | null,
  { options }: ProxyRoute,
): Promise<IncomingMessage> {
  const { request } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'));
  const own: RequestOptions = {
    ...options,
    method,
    signal,
    headers: {
      accept: '*/*',
      // What is not compressed need not be unpacked here.
      'accept-encoding': 'identity',
      ...(body !== null && { 'content-length': String(body.length) }),
      ...Object.fromEntries(headers),
      ...options.headers,
    },
  };
  return new Promise((resolve, reject) => {
    request(url, own, resolve)
      .on('error', reject)
      .end(body ?? undefined);
  });
}

const WITHOUT_BODY = new Set([101, 204, 205, 304]);

function responseOf(answer: IncomingMessage): Response {
  const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders } = answer;
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  if (!WITHOUT_BODY.has(status)) return new Response(bytesOf(answer), { status, statusText, headers });
  answer.resume();
  return new Response(null, { status, statusText, headers });
}

function bytesOf(answer: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks = answer[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const next: IteratorResult<unknown> = await chunks.next();
      if (next.done === true) controller.close();
      else if (next.value instanceof Uint8Array) controller.enqueue(next.value);
    },
    cancel() {
      answer.destroy();
    },
  });
}
