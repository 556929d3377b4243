import { setTimeout as sleep } from 'node:timers/promises';

/** After this long without a wrong token an address is forgotten. */
const FORGOTTEN_MS = 60_000;
/** Addresses remembered; the oldest are removed. */
const ADDRESSES_MAX = 1_000;

/** Delays a client longer with each wrong token. A client with a right one never waits. */
export class WrongTokens {
  readonly #tries = new Map<string, { readonly count: number; readonly at: number }>();
  readonly #stepMs: number;
  readonly #mostMs: number;
  readonly #now: () => number;

  constructor(stepMs: number, mostMs: number, now: () => number) {
    this.#stepMs = stepMs;
    this.#mostMs = mostMs;
    this.#now = now;
  }

  async wait(address: string): Promise<void> {
    const now = this.#now();
    const before = this.#tries.get(address);
    const count = before && now - before.at < FORGOTTEN_MS ? before.count + 1 : 1;
    this.#tries.delete(address);
    this.#tries.set(address, { count, at: now });
    const [oldest] = this.#tries.keys();
    if (oldest !== undefined && this.#tries.size > ADDRESSES_MAX) this.#tries.delete(oldest);
    await sleep(Math.min(this.#mostMs, this.#stepMs * count));
  }
}
