/**
 * Live output is rendered at most this often: commands report no more often, users see no difference, and with a clock
 * that ticks twice a second that is ten frames.
 */
const FRAME_MS = 125;

/** Notifies listeners that something is to be rendered: at once for events, at most once a frame for live output. */
export class Frames {
  readonly #draw: () => void;
  readonly #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #last = -Infinity;

  /** `draw`: makes the view that listeners read, once for each frame and not for each change. */
  constructor(draw: () => void) {
    this.#draw = draw;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  now(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#last = performance.now();
    this.#draw();
    for (const listener of [...this.#listeners]) listener();
  }

  soon(): void {
    if (this.#timer !== null) return;
    const wait = FRAME_MS - (performance.now() - this.#last);
    if (wait <= 0) this.now();
    else this.#timer = setTimeout(() => this.now(), wait);
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
