import { type RawAnswer, send } from './raw-http.js';
import type { Serving } from './serving.js';

type Headers = { readonly [name: string]: string };

/** What a browser that has opened a link holds: the cookie, and the secret that its page keeps. */
export type SignedIn = { readonly cookie: string; readonly secret: string };

/** Opens a link as a page does. Throws if it is refused. */
export async function signIn(serving: Serving, link: string, headers: Headers = {}): Promise<SignedIn> {
  const answer = await fromPage(serving, 'POST', '/api/sign-in', headers, {
    code: link.split('#pair=')[1],
  });
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.body}`);
  const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
  return { cookie, secret: JSON.parse(answer.body).secret };
}

/** A request as the page sends it, with these headers besides. */
export function fromPage(
  { server }: Serving,
  method: string,
  path: string,
  headers: Headers,
  body?: unknown,
): Promise<RawAnswer> {
  const origin = `http://127.0.0.1:${server.port}`;
  return send({
    port: server.port,
    method,
    path,
    headers: {
      host: `127.0.0.1:${server.port}`,
      origin,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    until: path.includes('/events') ? 'headers' : 'end',
  });
}

export const headersOf = ({ cookie, secret }: SignedIn): Headers => ({ cookie, 'x-countersign': secret });
