import { randomBytes, timingSafeEqual } from 'node:crypto';
import { hasHash, hashOf } from './secrets.js';

/** The token that a program authenticates with, and the name under which it acts. */
export type NamedToken = { readonly name: string; readonly token: string };

const TOKEN_BYTES = 32; // as many as an AES key: it cannot be guessed
const PREFIX = 'csgn_'; // so that scanners for leaked secrets can know it

export const newToken = (): string => `${PREFIX}${randomBytes(TOKEN_BYTES).toString('base64url')}`;

/** The token that was sent, with its name; null if it is unknown. Compares in constant time. */
export function findToken(tokens: readonly NamedToken[], given: string): NamedToken | null {
  const digest = hashOf(given);
  let found: NamedToken | null = null;
  for (const each of tokens) if (timingSafeEqual(hashOf(each.token), digest)) found = each;
  return found;
}

/** Whether something that was made under a token, of which it has the name and the hash, is still under it. */
export const isUnderToken = (
  { name, token: hash }: { readonly name: string; readonly token: string },
  tokens: readonly NamedToken[],
): boolean => tokens.some((each) => each.name === name && hasHash(each.token, hash));
