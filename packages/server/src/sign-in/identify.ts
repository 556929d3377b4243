import type { IncomingMessage } from 'node:http';
import type { Problem } from '../contract/problems.js';
import { PAGE_HEADER } from '../contract/routes.js';
import { isFromElsewhere } from '../http/door.js';
import type { BrowserRecord, BrowserRecords } from './browser-records.js';
import { browserCredential, type Credential, tokenCredential } from './credential.js';
import { findToken, isUnderToken, type NamedToken } from './tokens.js';

/** The sender of a request: the name that answers are recorded under, the client for rate limits, and the credential. */
export type Who = { readonly name: string; readonly client: string; readonly credential: Credential };
export type Identified =
  /** `browser`: null for a program. */
  | { readonly ok: true; readonly who: Who; readonly browser: BrowserRecord | null }
  | { readonly ok: false; readonly problem: Problem };

/** The records of signed-in browsers, and the name of the cookie. */
export type BrowserSignIn = { readonly records: BrowserRecords; readonly cookieName: string };

const NOT_SIGNED_IN: Identified = { ok: false, problem: { code: 'not_signed_in' } };

/** `browsers`: null where only tokens are accepted. */
export async function identify(
  request: IncomingMessage,
  tokens: readonly NamedToken[],
  browsers: BrowserSignIn | null,
): Promise<Identified> {
  const { authorization } = request.headers;
  if (isFromElsewhere(request)) return { ok: false, problem: { code: 'foreign_origin' } };
  // A request with a token is judged by it: a valid cookie does not excuse a wrong token.
  if (authorization !== undefined) return byToken(authorization, tokens);
  const record = browsers && (await browserOf(request, tokens, browsers));
  if (!record) return NOT_SIGNED_IN;
  const problem = problemWithOrigin(request);
  if (problem) return { ok: false, problem };
  const { name, id } = record;
  const who = { name, client: `${name} ${id}`, credential: browserCredential(name, id) };
  return { ok: true, who, browser: record };
}

function byToken(authorization: string, tokens: readonly NamedToken[]): Identified {
  const given = /^Bearer ([\w.~+/-]+=*)$/i.exec(authorization)?.[1];
  const shown = given === undefined ? null : findToken(tokens, given);
  if (shown === null) return NOT_SIGNED_IN;
  const { name } = shown;
  return { ok: true, who: { name, client: name, credential: tokenCredential(shown) }, browser: null };
}

/**
 * The browser that sends a request. The cookie alone proves nothing: browsers send it to every port of this host, so any
 * other server here may have it. The secret in the header is readable only by pages of our own origin.
 */
export async function browserOf(
  { headers }: IncomingMessage,
  tokens: readonly NamedToken[],
  { records, cookieName }: BrowserSignIn,
): Promise<BrowserRecord | null> {
  const secret = headers[PAGE_HEADER];
  if (typeof secret !== 'string') return null;
  for (const cookie of cookiesIn(headers.cookie ?? '', cookieName)) {
    const record = await records.authenticate({ cookie, secret });
    if (record && isUnderToken(record, tokens)) return record;
  }
  return null;
}

/** A request that changes something must also send its origin. */
function problemWithOrigin(request: IncomingMessage): Problem | null {
  if (request.method === 'GET' || request.method === 'HEAD') return null;
  // `problemAtDoor` has checked that the origin is ours; here it must be present.
  return request.headers.origin === undefined ? { code: 'not_from_the_page' } : null;
}

/** Other servers on this host can set cookies of the same name with a longer path, which browsers send first. */
const COOKIES_MAX = 4;

export const cookiesIn = (header: string, name: string): readonly string[] =>
  header
    .split(';')
    .map((pair) => pair.trim().split('=', 2))
    .flatMap(([key, value = '']) => (key === name ? [value] : []))
    .slice(0, COOKIES_MAX);
