import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const SECRET_BYTES = 32; // as many as an AES key: nobody guesses it, so a plain hash hides it

export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

export const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** As it is kept: what was given can not be found out from it. */
export const hashText = (text: string): string => hashOf(text).toString('base64url');

/** Takes as long whatever the two have in common. */
export const hasHash = (given: string, hash: string): boolean => {
  const kept = Buffer.from(hash, 'base64url');
  const digest = hashOf(given);
  return kept.length === digest.length && timingSafeEqual(kept, digest);
};
