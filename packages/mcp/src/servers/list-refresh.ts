const QUIET_MS = 10_000; // after this a change is the first again
const DOUBLINGS_MAX = 7; // a server that never stops saying so is asked every dozen seconds

/** Reads a list again after it changed: not for every time that a server says so, and less and less often if it keeps on. */
export class ListRefresh {
  readonly #firstMs: number;
  readonly #read: () => Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  #pending: Promise<void> | null = null;
  #isWantedAgain = false;
  #inARow = 0;
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(firstMs: number, read: () => Promise<void>) {
    this.#firstMs = firstMs;
    this.#read = read;
  }

  get isPending(): boolean {
    return this.#pending !== null;
  }

  want(): void {
    if (this.#pending) this.#isWantedAgain = true;
    else this.#pending = this.#later();
  }

  /** Resolves once the list is as it was last said to be. */
  async done(): Promise<void> {
    await this.#pending;
  }

  cancel(): void {
    clearTimeout(this.#timer);
  }

  async #later(): Promise<void> {
    const isFirst = performance.now() - this.#lastAt > QUIET_MS;
    this.#inARow = isFirst ? 0 : Math.min(this.#inARow + 1, DOUBLINGS_MAX);
    await new Promise<void>((resolve) => {
      this.#timer = setTimeout(resolve, this.#firstMs * 2 ** this.#inARow);
    });
    this.#isWantedAgain = false;
    this.#lastAt = performance.now();
    // A list that cannot be read leaves what was known; a lost connection is noticed elsewhere.
    await this.#read().catch(() => undefined);
    this.#pending = null;
    if (this.#isWantedAgain) this.want();
  }
}
