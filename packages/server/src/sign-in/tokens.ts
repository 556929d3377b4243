import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** What a program shows to be let in, and under whose name it then acts. */
export type NamedToken = { readonly name: string; readonly token: string };

const TOKEN_BYTES = 32; // as many as an AES key: nobody guesses it
const PREFIX = 'csgn_'; // so that scanners for leaked secrets can know it

export const newToken = (): string => `${PREFIX}${randomBytes(TOKEN_BYTES).toString('base64url')}`;

/** The name that goes with a token; null for one that is not known. Takes as long for every wrong one. */
export function nameOfToken(tokens: readonly NamedToken[], given: string): string | null {
  const digest = hashOf(given);
  let found: string | null = null;
  for (const { name, token } of tokens) if (timingSafeEqual(hashOf(token), digest)) found = name;
  return found;
}

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

export type CookieContent = {
  readonly name: string;
  /** Tells two browsers of one person apart. */
  readonly browser: string;
  readonly expiresAt: number;
};

/**
 * What a browser is given for a pairing code. It is signed with the token of
 * that name: nothing has to be kept, it outlives a restart, and a token that is
 * changed or removed takes all cookies made for it along.
 */
export function makeCookie({ name, token }: NamedToken, expiresAt: number): string {
  const browser = randomBytes(9).toString('base64url');
  const content: CookieContent = { name, browser, expiresAt };
  const body = Buffer.from(JSON.stringify(content)).toString('base64url');
  return `${body}.${signature(token, body)}`;
}

/** Null for one that was not made here, or is too old. */
export function readCookie(tokens: readonly NamedToken[], cookie: string, now: number): CookieContent | null {
  const [body = '', given = '', ...more] = cookie.split('.');
  if (more.length > 0) return null;
  // Every name is tried, so that no name can be told from another by the time it takes.
  const signer = tokens.filter(({ token }) => timingSafeEqual(hashOf(signature(token, body)), hashOf(given)));
  const content = signer.length > 0 ? contentOf(body) : null;
  const isTheirs = signer.some(({ name }) => name === content?.name);
  return content && isTheirs && content.expiresAt > now ? content : null;
}

const signature = (token: string, body: string): string =>
  createHmac('sha256', token).update(`countersign cookie\n${body}`).digest('base64url');

/** Only of what we have signed ourselves. */
function contentOf(body: string): CookieContent | null {
  const value: unknown = JSON.parse(Buffer.from(body, 'base64url').toString());
  if (typeof value !== 'object' || value === null) return null;
  const { name, browser, expiresAt } = value as { readonly [key: string]: unknown };
  if (typeof name !== 'string' || typeof browser !== 'string' || typeof expiresAt !== 'number') return null;
  return { name, browser, expiresAt };
}
