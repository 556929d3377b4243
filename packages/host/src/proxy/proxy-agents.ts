import { type AgentOptions, type ClientRequestArgs, Agent as PlainAgent, request } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { connect, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectSecurely } from 'node:tls';
import { errnoOf } from '../paths/file-failure.js';
import { type ForwardProxy, ProxyError, shownProxy } from './forward-proxy.js';

/** To a connection to the proxy, and to its answer: longer than a person waits for a page. */
const ANSWER_MS_MAX = 30_000;

type Created = (error: Error | null, socket?: Duplex) => void;

/** Connects to the proxy instead of the server: for http URLs, which the proxy is sent as a whole. */
export class ForwardingAgent extends PlainAgent {
  readonly #proxy: ForwardProxy;

  constructor(proxy: ForwardProxy, options: AgentOptions) {
    super(options);
    this.#proxy = proxy;
  }

  override createConnection({ signal }: ClientRequestArgs, created: Created): undefined {
    connectionTo(this.#proxy, signal).then((socket) => created(null, socket), created);
  }
}

/** Asks the proxy for a tunnel to the server (CONNECT), and makes a TLS connection through it: for https URLs. */
export class TunnelAgent extends SecureAgent {
  readonly #proxy: ForwardProxy;

  constructor(proxy: ForwardProxy, options: AgentOptions) {
    super(options);
    this.#proxy = proxy;
  }

  override createConnection(target: ClientRequestArgs, created: Created): undefined {
    this.#open(target).then((socket) => created(null, socket), created);
  }

  async #open({ host, port, signal }: ClientRequestArgs): Promise<Socket> {
    const hostname = host ?? '';
    const authority = `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port ?? 443}`;
    const socket = await tunnelTo(authority, this.#proxy, signal);
    const { rejectUnauthorized } = this.options;
    const secure = connectSecurely({
      socket,
      host: hostname,
      ...(isIP(hostname) === 0 && { servername: hostname }),
      ...(rejectUnauthorized !== undefined && { rejectUnauthorized }),
    });
    return opened(secure, 'secureConnect', signal);
  }
}

async function tunnelTo(
  authority: string,
  proxy: ForwardProxy,
  signal: AbortSignal | undefined,
): Promise<Socket> {
  const socket = await connectionTo(proxy, signal);
  return new Promise((resolve, reject) => {
    const asked = request({
      method: 'CONNECT',
      path: authority,
      createConnection: () => socket,
      signal: withLimit(signal),
      headers: {
        host: authority,
        'user-agent': 'countersign',
        ...(proxy.authorization !== null && { 'proxy-authorization': proxy.authorization }),
      },
    });
    asked.on('error', (error) => reject(signal?.aborted === true ? error : unreachable(proxy, error)));
    asked.once('connect', ({ statusCode = 0 }, _, head) => {
      if (statusCode >= 200 && statusCode < 300) {
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
      } else {
        socket.destroy();
        reject(refusedBy(proxy, statusCode, authority));
      }
    });
    asked.end();
  });
}

function connectionTo(proxy: ForwardProxy, signal: AbortSignal | undefined): Promise<Socket> {
  const host = proxy.hostname.replace(/^\[|\]$/g, '');
  const { port } = proxy;
  const socket = proxy.isSecure
    ? connectSecurely({ host, port, ...(isIP(host) === 0 && { servername: host }) })
    : connect({ host, port });
  return opened(socket, proxy.isSecure ? 'secureConnect' : 'connect', withLimit(signal)).catch(
    (error: unknown) => {
      throw signal?.aborted === true ? error : unreachable(proxy, error);
    },
  );
}

/** The socket once it is connected. It is destroyed if the signal is aborted before that. */
function opened<S extends Socket>(
  socket: S,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal | undefined,
): Promise<S> {
  return new Promise((resolve, reject) => {
    const stop = () => socket.destroy(new Error('stopped'));
    const closed = () => fail(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
    const done = () => {
      signal?.removeEventListener('abort', stop);
      socket.off('error', fail).off('close', closed);
    };
    const fail = (error: Error) => {
      done();
      // Another error may follow, and without a listener it would end the program.
      socket.on('error', () => {}).destroy();
      reject(error);
    };
    socket.once('error', fail).once('close', closed);
    socket.once(event, () => {
      done();
      resolve(socket);
    });
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop);
  });
}

const withLimit = (signal: AbortSignal | undefined): AbortSignal =>
  AbortSignal.any([AbortSignal.timeout(ANSWER_MS_MAX), ...(signal ? [signal] : [])]);

/** What the status means that a proxy answers with instead of the server. */
export function refusedBy(proxy: ForwardProxy, status: number, authority: string): ProxyError {
  const { authorization, variable } = proxy;
  if (status === 407) {
    const what = authorization === null ? 'requires a user name and password' : 'refuses these credentials';
    return new ProxyError(variable, `${shownProxy(proxy)} ${what} (HTTP 407)`, { mayPass: false });
  }
  const what = status >= 500 ? 'cannot connect to' : 'refuses to connect to';
  const message = `${shownProxy(proxy)} ${what} ${authority} (HTTP ${status})`;
  return new ProxyError(variable, message, { mayPass: status >= 500 });
}

function unreachable(proxy: ForwardProxy, error: unknown): ProxyError {
  const code = errnoOf(error);
  const known = code === null ? undefined : WORDS[code];
  const why = known ?? (code === null ? `no answer within ${ANSWER_MS_MAX / 1000} s` : code);
  const mayPass = code === null || !LASTING.has(code);
  return new ProxyError(proxy.variable, `${shownProxy(proxy)} cannot be reached: ${why}`, { mayPass });
}

const WORDS: { readonly [code: string]: string } = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'the name server did not respond',
  ETIMEDOUT: 'it does not respond',
  ECONNRESET: 'it closed the connection',
};
const LASTING = new Set(['ECONNREFUSED', 'ENOTFOUND']);
