/** Keeps the time of a call: how long it may be silent, and how long it may take in all. Waiting for a person does not count. */
export class CallClock {
  readonly #idleMs: number;
  readonly #onExpired: (afterMs: number) => void;
  readonly #totalMs: number;
  #leftMs: number;
  #runsSince = 0;
  #pauses = 0;
  #isOver = false;
  #idle: NodeJS.Timeout | undefined;
  #total: NodeJS.Timeout | undefined;

  constructor(limits: { readonly idleMs: number; readonly totalMs: number }, onExpired: (afterMs: number) => void) {
    this.#idleMs = limits.idleMs;
    this.#totalMs = limits.totalMs;
    this.#leftMs = limits.totalMs;
    this.#onExpired = onExpired;
    this.#run();
  }

  /** It got on. */
  progress(): void {
    if (this.#pauses === 0) this.#idle?.refresh();
  }

  /** While `work` goes on, no time passes. */
  async without<T>(work: Promise<T>): Promise<T> {
    this.#pauses += 1;
    if (this.#pauses === 1) {
      this.#halt();
      this.#leftMs -= performance.now() - this.#runsSince;
    }
    try {
      return await work;
    } finally {
      this.#pauses -= 1;
      if (this.#pauses === 0) this.#run();
    }
  }

  stop(): void {
    this.#isOver = true;
    this.#halt();
  }

  #halt(): void {
    clearTimeout(this.#idle);
    clearTimeout(this.#total);
  }

  #run(): void {
    if (this.#isOver) return;
    this.#runsSince = performance.now();
    this.#idle = setTimeout(() => this.#onExpired(this.#idleMs), this.#idleMs);
    this.#total = setTimeout(() => this.#onExpired(this.#totalMs), Math.max(0, this.#leftMs));
  }
}
