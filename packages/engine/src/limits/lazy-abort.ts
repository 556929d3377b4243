/** Most calls never look at their signal, and making one costs more than a trivial call. */
export class LazyAbort {
  #controller: AbortController | null = null;
  #aborted = false;

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#aborted) this.#controller.abort();
    return this.#controller.signal;
  }

  /** Whether anything could have noticed the abort. */
  get wasLookedAt(): boolean {
    return this.#controller !== null;
  }

  abort(): void {
    this.#aborted = true;
    this.#controller?.abort();
  }
}
