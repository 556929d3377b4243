type Tracked = { readonly life: number; readonly label: string; settled: boolean };

/** Every promise that was handed out to the outside, so that none is forgotten. */
export class Promises {
  #tracked: Tracked[] = [];
  readonly #gone = new Set<number>();
  readonly #active: () => void;

  constructor(active: () => void) {
    this.#active = active;
  }

  /** A rejection is left unhandled on purpose: the promise must not be rejected. */
  track(life: number, label: string, promise: Promise<unknown>): void {
    if (this.#gone.has(life)) return;
    const entry: Tracked = { life, label, settled: false };
    this.#tracked.push(entry);
    void promise.finally(() => {
      entry.settled = true;
      this.#active();
    });
  }

  /** The process is gone, and with it the waiting code. */
  dropLife(life: number): void {
    this.#gone.add(life);
    this.#tracked = this.#tracked.filter((entry) => entry.life !== life);
  }

  /** What has not settled yet, in a few words each. */
  open(): readonly string[] {
    return this.#tracked
      .filter(({ settled }) => !settled)
      .map(({ life, label }) => `${label} of life ${life}`);
  }
}
