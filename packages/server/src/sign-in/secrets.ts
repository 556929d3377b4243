import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const SECRET_BYTES = 32; // 256 random bits cannot be guessed, so a plain SHA-256 is enough to hide them

export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

export const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The form in which a secret is stored. */
export const hashText = (text: string): string => hashOf(text).toString('base64url');

/** Compares in constant time. */
export const hasHash = (given: string, hash: string): boolean => {
  const kept = Buffer.from(hash, 'base64url');
  const digest = hashOf(given);
  return kept.length === digest.length && timingSafeEqual(kept, digest);
};
