/** One frame of a screen: what arrives within it is rendered together. */
const GATHER_MS = 16;

/** Collects items into batches: a long history is folded at once, not rendered fact by fact. */
export class Gathering<T> {
  #items: T[] = [];
  #wake = () => {};

  push(item: T): void {
    this.#items.push(item);
    this.#wake();
  }

  async *batches(signal: AbortSignal): AsyncGenerator<readonly T[]> {
    const over = () => this.#wake();
    signal.addEventListener('abort', over);
    try {
      while (!signal.aborted) {
        if (this.#items.length === 0) {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
          continue;
        }
        await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
        const batch = this.#items;
        this.#items = [];
        if (!signal.aborted) yield batch;
      }
    } finally {
      signal.removeEventListener('abort', over);
    }
  }
}
