import type { LookupAddress } from 'node:dns';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { LookupFunction } from 'node:net';
import type { RequestTimeout } from './request-timeout.js';
import type { Way } from './way-to.js';

export type WebRequest = {
  readonly url: URL;
  readonly headers: { readonly [name: string]: string };
  /** Sent with POST; omitted, it is a GET. */
  readonly body?: string;
  /** Where to connect to, and nowhere else. */
  readonly way: Way;
};

/** Sends one request and gives its answer as soon as the headers are there. Follows nothing. */
export async function sendRequest(
  { url, headers, body, way }: WebRequest,
  timeout: RequestTimeout,
): Promise<IncomingMessage> {
  const isSecure = url.protocol === 'https:';
  const { request } = await (isSecure ? import('node:https') : import('node:http'));
  const options: RequestOptions & { rejectUnauthorized: true } = {
    method: body === undefined ? 'GET' : 'POST',
    // Connections that others made may lead elsewhere.
    ...(way.type === 'direct' ? { agent: false, lookup: lookupIn(way.addresses) } : way.route.options),
    headers: {
      'user-agent': USER_AGENT,
      'accept-encoding': 'gzip, deflate, br',
      ...headers,
      ...(way.type === 'proxy' && way.route.options.headers),
    },
    // Whatever the environment says: without a valid certificate, a page may come from another server.
    rejectUnauthorized: true,
    signal: timeout.signal,
  };
  return new Promise((resolve, reject) => {
    const sent: ClientRequest = request(url, options, (response) => {
      const refusal = way.type === 'proxy' ? way.route.refusal(response.statusCode) : null;
      if (refusal === null) return resolve(response);
      response.destroy();
      reject(refusal);
    });
    // Stays: a socket may break after the response began, and then the response emits the error.
    sent.on('error', reject);
    sent.once('socket', (socket) => {
      if (way.type === 'proxy') return timeout.progressed();
      socket.once(isSecure ? 'secureConnect' : 'connect', () => timeout.progressed());
    });
    sent.end(body);
  });
}

/** A lookup that knows only what was checked. */
const lookupIn =
  (addresses: readonly LookupAddress[]): LookupFunction =>
  (_hostname, { all }, answer) => {
    const [first] = addresses;
    if (all === true) answer(null, [...addresses]);
    else if (first) answer(null, first.address, first.family);
    else answer(new Error('a name without an address'), '');
  };

const USER_AGENT = 'Countersign/0.1';
