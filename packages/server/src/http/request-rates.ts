/** Clients remembered; the least recently active are forgotten first, and start with a full bucket. */
const CLIENTS_MAX = 10_000;

type Bucket = { left: number; at: number };

/** Lets each client make so many requests at once, and so many a second in the long run. */
export class RequestRates {
  readonly #buckets = new Map<string, Bucket>();
  readonly #perSecond: number;
  readonly #atOnce: number;
  readonly #now: () => number;

  constructor(perSecond: number, atOnce: number, now: () => number) {
    this.#perSecond = perSecond;
    this.#atOnce = atOnce;
    this.#now = now;
  }

  /** Milliseconds to wait before the next; 0 if this one may pass. */
  take(client: string): number {
    const now = this.#now();
    const { left, at } = this.#buckets.get(client) ?? { left: this.#atOnce, at: now };
    const filled = Math.min(this.#atOnce, left + (Math.max(0, now - at) / 1_000) * this.#perSecond);
    const isOver = filled < 1;
    // Removed and added again: the map is ordered by last activity.
    this.#buckets.delete(client);
    this.#buckets.set(client, { left: isOver ? filled : filled - 1, at: now });
    const [oldest] = this.#buckets.keys();
    if (oldest !== undefined && this.#buckets.size > CLIENTS_MAX) this.#buckets.delete(oldest);
    return isOver ? Math.ceil(((1 - filled) / this.#perSecond) * 1_000) : 0;
  }
}
