import { randomBytes } from 'node:crypto';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

/** Kept for clients that come back after a short while; who was away longer lists everything again. */
const KEPT_MAX = 2_000;
/** Changes that arrive together are sent together: each batch is a write to every client. */
const GATHER_MS = 20;
/** Between so many of them, requests get their turn. */
const WOKEN_AT_ONCE = 50;

export type Numbered<T> = { readonly id: string; readonly change: T };

/** The latest changes, numbered, for any number of readers that each take what is new when they have time. */
export class ChangeLog<T> {
  /** Numbers of an earlier life of the server mean nothing in this one. */
  readonly #life = randomBytes(6).toString('hex');
  #kept: T[] = [];
  #keptFrom = 0;
  readonly #waiting = new Set<() => void>();
  #isTelling = false;
  #hasNews = false;

  push(change: T): void {
    this.#kept.push(change);
    // Dropping half at a time keeps the cost per change constant.
    if (this.#kept.length > KEPT_MAX) {
      this.#keptFrom += KEPT_MAX / 2;
      this.#kept = this.#kept.slice(KEPT_MAX / 2);
    }
    this.#hasNews = true;
    if (!this.#isTelling) void this.#tell();
  }

  /** The id of the last change. */
  get last(): string {
    return this.#idOf(this.#keptFrom + this.#kept.length);
  }

  /** The changes after this id; null if they are no longer kept. */
  after(id: string): readonly Numbered<T>[] | null {
    const [life, number = ''] = id.split('-', 2);
    const skipped = /^\d{1,15}$/.test(number) ? Number(number) - this.#keptFrom : -1;
    if (life !== this.#life || skipped < 0 || skipped > this.#kept.length) return null;
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

  /** Not at once: a call that was answered is started before everybody learns of the answer. */
  async #tell(): Promise<void> {
    this.#isTelling = true;
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
    this.#isTelling = false;
  }

  /** How many changes there had been with this one. */
  #idOf(count: number): string {
    return `${this.#life}-${count}`;
  }
}
