import type { Delay, StartTimer } from '@countersign/engine';

/** Any date will do; this one shows in a log that the time is not real. */
const START_MS = 1_000_000_000_000;

type Entry = {
  readonly dueMs: number;
  readonly share: TimeShare;
  readonly what: 'delay' | 'timer';
  readonly fire: () => void;
};

/** One process's clock and timers. They end with it. */
export type TimeShare = {
  readonly now: () => number;
  readonly delay: Delay;
  readonly timer: StartTimer;
  /** How many have not ended. */
  readonly pending: (what: 'delay' | 'timer') => number;
  /** The process died: nothing of it fires any more. */
  readonly drop: () => void;
};

/** Time that passes only when the simulator says so. */
export class VirtualTime {
  #passedMs = 0;
  #jumpedMs = 0;
  #entries: Entry[] = [];
  readonly #dropped = new WeakSet<TimeShare>();

  now(): number {
    return START_MS + this.#passedMs + this.#jumpedMs;
  }

  share(): TimeShare {
    const share: TimeShare = {
      now: () => this.now(),
      delay: (ms, signal) =>
        new Promise((resolve, reject) => {
          if (signal.aborted) return reject(new Error('aborted'));
          const cancel = this.#add(ms, share, 'delay', () => {
            signal.removeEventListener('abort', abort);
            resolve();
          });
          const abort = () => {
            cancel();
            reject(new Error('aborted'));
          };
          signal.addEventListener('abort', abort, { once: true });
        }),
      timer: (ms, fire) => this.#add(ms, share, 'timer', fire),
      pending: (what) => this.#entries.filter((entry) => entry.share === share && entry.what === what).length,
      drop: () => {
        this.#dropped.add(share);
        this.#entries = this.#entries.filter((entry) => entry.share !== share);
      },
    };
    return share;
  }

  /** Go to the moment something is due, and let it happen. False if nothing is. */
  fireNext(): boolean {
    const next = this.#entries.reduce<Entry | null>(
      (first, entry) => (first && first.dueMs <= entry.dueMs ? first : entry),
      null,
    );
    if (!next) return false;
    this.#remove(next);
    this.#passedMs = Math.max(this.#passedMs, next.dueMs);
    next.fire();
    return true;
  }

  /** Somebody sets the wall clock forward. What waits does not notice. */
  jump(ms: number): void {
    this.#jumpedMs += ms;
  }

  #add(ms: number, share: TimeShare, what: Entry['what'], fire: () => void): () => void {
    if (this.#dropped.has(share)) return () => {};
    const entry: Entry = { dueMs: this.#passedMs + ms, share, what, fire };
    this.#entries.push(entry);
    return () => this.#remove(entry);
  }

  #remove(entry: Entry): void {
    this.#entries = this.#entries.filter((other) => other !== entry);
  }
}
