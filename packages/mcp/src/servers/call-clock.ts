/** Keeps the time of a call: how long it may be silent, and how long it may take in all. Waiting for a person does not count. */
export class CallClock {
  readonly #idleMs: number;
  readonly #totalMs: number;
  readonly #onExpired: (afterMs: number) => void;
  #idleUntil = 0;
  #totalUntil: number;
  #pauses = 0;
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    limits: { readonly idleMs: number; readonly totalMs: number },
    onExpired: (afterMs: number) => void,
  ) {
    this.#idleMs = limits.idleMs;
    this.#totalMs = limits.totalMs;
    this.#onExpired = onExpired;
    this.#totalUntil = performance.now() + limits.totalMs;
    this.progress();
    this.#run();
  }

  /** It got on. */
  progress(): void {
    this.#idleUntil = performance.now() + this.#idleMs;
  }

  /** While `work` runs, no time passes. */
  async without<T>(work: Promise<T>): Promise<T> {
    const began = performance.now();
    this.#pauses += 1;
    clearTimeout(this.#timer);
    try {
      return await work;
    } finally {
      this.#pauses -= 1;
      this.#totalUntil += performance.now() - began;
      this.progress();
      this.#run();
    }
  }

  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  /** One timer serves both limits; progress only moves what it finds when it goes off. */
  #run(): void {
    if (this.#isOver || this.#pauses > 0) return;
    const waitMs = Math.min(this.#idleUntil, this.#totalUntil) - performance.now();
    this.#timer = setTimeout(() => this.#look(), Math.max(1, Math.ceil(waitMs)));
  }

  #look(): void {
    const now = performance.now();
    if (now >= this.#totalUntil) this.#onExpired(this.#totalMs);
    else if (now >= this.#idleUntil) this.#onExpired(this.#idleMs);
    else this.#run();
  }
}
