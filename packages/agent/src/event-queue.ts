/** Merges events of several sources for one reader, in the order in which they arrive. */
export class EventQueue<T> {
  #waiting: T[] = [];
  #wake: (() => void) | null = null;

  push(item: T): void {
    this.#waiting.push(item);
    this.#wake?.();
  }

  /** Yields every event until the end of `work`, then returns its result. */
  async *until<R>(work: Promise<R>): AsyncGenerator<T, R> {
    let isOver = false;
    const over = () => {
      isOver = true;
      this.#wake?.();
    };
    work.then(over, over);
    for (;;) {
      // More may have come while the reader was busy with one.
      while (this.#waiting.length > 0) yield* this.#taken();
      if (isOver) return work;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = null;
    }
  }

  #taken(): readonly T[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }
}
