import { randomBytes } from 'node:crypto';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

/** Kept for clients that reconnect after a short while; after a longer one, they list everything again. */
const KEPT_MAX = 2_000;
/** Changes that arrive together are sent together: each batch is a write to every client. */
const GATHER_MS = 20;
/** After each group of this size, other requests run. */
const WOKEN_AT_ONCE = 50;

export type Numbered<T> = { readonly id: string; readonly change: T };

/** The latest changes, numbered, for any number of readers that each take what is new when they have time. */
export class ChangeLog<T> {
  /** Ids of an earlier run of the server are invalid in this one. */
  readonly #run = randomBytes(6).toString('hex');
  #kept: T[] = [];
  #keptFrom = 0;
  readonly #waiting = new Set<() => void>();
  #isNotifying = false;
  #hasNews = false;

  push(change: T): void {
    this.#kept.push(change);
    // Dropping half at a time keeps the cost per change constant.
    if (this.#kept.length > KEPT_MAX) {
      this.#keptFrom += KEPT_MAX / 2;
      this.#kept = this.#kept.slice(KEPT_MAX / 2);
    }
    this.#hasNews = true;
    if (!this.#isNotifying) void this.#notify();
  }

  /** The id of the last change. */
  get last(): string {
    return this.#idOf(this.#keptFrom + this.#kept.length);
  }

  /** The changes after this id; null if they are no longer kept. */
  after(id: string): readonly Numbered<T>[] | null {
    const [run, number = ''] = id.split('-', 2);
    const skipped = /^\d{1,15}$/.test(number) ? Number(number) - this.#keptFrom : -1;
    if (run !== this.#run || skipped < 0 || skipped > this.#kept.length) return null;
    return this.#kept
      .slice(skipped)
      .map((change, index) => ({ id: this.#idOf(this.#keptFrom + skipped + index + 1), change }));
  }

  /** Resolves with the next change, or with the signal. */
  next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const settle = () => {
        signal.removeEventListener('abort', settle);
        this.#waiting.delete(settle);
        resolve();
      };
      if (signal.aborted) return resolve();
      this.#waiting.add(settle);
      signal.addEventListener('abort', settle);
    });
  }

  /** Not at once: an answered call is started before all clients are notified of the answer. */
  async #notify(): Promise<void> {
    this.#isNotifying = true;
    while (this.#hasNews) {
      await setImmediate();
      this.#hasNews = false;
      const waiting = [...this.#waiting];
      for (let from = 0; from < waiting.length; from += WOKEN_AT_ONCE) {
        for (const wake of waiting.slice(from, from + WOKEN_AT_ONCE)) wake();
        await setImmediate();
      }
      await sleep(GATHER_MS, undefined, { ref: false });
    }
    this.#isNotifying = false;
  }

  /** `count`: how many changes there have been. */
  #idOf(count: number): string {
    return `${this.#run}-${count}`;
  }
}
