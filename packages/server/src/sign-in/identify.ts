import type { IncomingMessage } from 'node:http';
import { PAGE_HEADER } from '../contract/routes.js';
import { isFromElsewhere } from '../http/door.js';
import { type Problem } from '../problems.js';
import { type NamedToken, nameOfToken, readCookie } from './tokens.js';

/** Who sends a request: the name that answers are recorded under, and which of their clients it is. */
export type Who = { readonly name: string; readonly client: string };
export type Identified =
  | { readonly ok: true; readonly who: Who }
  | { readonly ok: false; readonly problem: Problem };

const NOT_SIGNED_IN: Identified = { ok: false, problem: { code: 'not_signed_in' } };

export function identify(
  request: IncomingMessage,
  tokens: readonly NamedToken[],
  cookieName: string,
  now: number,
): Identified {
  const { authorization } = request.headers;
  if (isFromElsewhere(request)) return { ok: false, problem: { code: 'foreign_origin' } };
  // Who shows a token wants to be judged by it: a wrong one is not made good by a cookie.
  if (authorization !== undefined) return byToken(authorization, tokens);
  const cookie = cookieIn(request.headers.cookie ?? '', cookieName);
  const content = cookie === null ? null : readCookie(tokens, cookie, now);
  if (!content) return NOT_SIGNED_IN;
  const problem = problemWithCookie(request);
  if (problem) return { ok: false, problem };
  return { ok: true, who: { name: content.name, client: `${content.name} ${content.browser}` } };
}

function byToken(authorization: string, tokens: readonly NamedToken[]): Identified {
  const given = /^Bearer ([\w.~+/-]+=*)$/i.exec(authorization)?.[1];
  const name = given === undefined ? null : nameOfToken(tokens, given);
  return name === null ? NOT_SIGNED_IN : { ok: true, who: { name, client: name } };
}

/** A browser sends its cookie whoever made it send the request: what changes something must prove to be from our page. */
function problemWithCookie(request: IncomingMessage): Problem | null {
  if (request.method === 'GET' || request.method === 'HEAD') return null;
  // That the origin is ours was seen at the door; here it must be there at all.
  const isFromPage = request.headers.origin !== undefined && request.headers[PAGE_HEADER] !== undefined;
  return isFromPage ? null : { code: 'not_from_the_page' };
}

function cookieIn(header: string, name: string): string | null {
  for (const pair of header.split(';')) {
    const [key = '', value = ''] = pair.trim().split('=', 2);
    if (key === name) return value;
  }
  return null;
}
