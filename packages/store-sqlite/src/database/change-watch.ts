/** How soon a change by another process is noticed while there is a watcher; one look takes about 5 µs. */
const POLL_MS = 10;

/** Looks for changes while there are watchers, with one timer for all of them. */
export class ChangeWatch {
  readonly #wakes = new Set<{ readonly wake: () => void }>();
  readonly #version: () => number | null;
  readonly #changed: () => void;
  #timer: NodeJS.Timeout | null = null;
  #seen: number | null = null;

  /**
   * `version` differs from what it was when something changed; null while it cannot be read. `changed` is called before
   * the watchers are woken.
   */
  constructor(version: () => number | null, changed: () => void) {
    this.#version = version;
    this.#changed = changed;
  }

  add(wake: () => void): () => void {
    const entry = { wake };
    this.#wakes.add(entry);
    if (!this.#timer) {
      this.#seen = this.#version();
      this.#timer = setInterval(() => this.#look(), POLL_MS);
      this.#timer.unref();
    }
    return () => {
      this.#wakes.delete(entry);
      if (this.#wakes.size === 0) this.#stop();
    };
  }

  close(): void {
    this.#wakes.clear();
    this.#stop();
  }

  #look(): void {
    const version = this.#version();
    if (version === this.#seen) return;
    this.#seen = version;
    this.#changed();
    for (const { wake } of [...this.#wakes]) wake();
  }

  #stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }
}
