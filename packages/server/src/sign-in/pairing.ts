import { createHash, randomBytes } from 'node:crypto';
import type { Credential } from './credential.js';

const CODE_BYTES = 18; // guessing one takes longer than it lasts, at any rate of trying
/** Unopened links; the oldest are removed. */
const WAITING_MAX = 16;

/** The credential that a link was made under; null for a name without a token. */
export type Maker = Promise<Credential | null>;
type Waiting = { readonly maker: Maker; readonly expiresAt: number };

/** One-time codes; each signs in one browser, under the name of the credential that it was made with. */
export class Pairings {
  readonly #waiting = new Map<string, Waiting>();
  readonly #lastsMs: number;
  readonly #now: () => number;

  constructor(lastsMs: number, now: () => number) {
    this.#lastsMs = lastsMs;
    this.#now = now;
  }

  make(maker: Maker): { readonly code: string; readonly expiresAt: number } {
    const code = randomBytes(CODE_BYTES).toString('base64url');
    const expiresAt = this.#now() + this.#lastsMs;
    this.#waiting.set(keyOf(code), { maker, expiresAt });
    const [oldest] = this.#waiting.keys();
    if (oldest !== undefined && this.#waiting.size > WAITING_MAX) this.#waiting.delete(oldest);
    return { code, expiresAt };
  }

  /** Removes the codes whose credential is not to be kept. */
  async removeUnless(isKept: (maker: Credential) => boolean): Promise<void> {
    for (const [key, { maker }] of [...this.#waiting]) {
      const credential = await maker;
      if (credential && !isKept(credential)) this.#waiting.delete(key);
    }
  }

  /** The credential that the code was made with, which may be invalid by now; null if the code is unknown, used or expired. */
  async use(code: string): Promise<Credential | null> {
    // Looked up by its hash: its duration reveals nothing about valid codes.
    const key = keyOf(code);
    const waiting = this.#waiting.get(key);
    this.#waiting.delete(key);
    return waiting && waiting.expiresAt > this.#now() ? waiting.maker : null;
  }
}

const keyOf = (code: string): string => createHash('sha256').update(code).digest('base64');
