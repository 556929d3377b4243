import type { McpLimits } from './limits.js';

const JITTER = 0.25; // so that servers which fell together do not all come back at once

/** When a server that is not connected is tried again: soon for a few times, then after pauses that double up to a limit. */
export class Reconnects {
  readonly #limits: McpLimits;
  #attempts = 0;
  #connectedAt: number | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: McpLimits) {
    this.#limits = limits;
  }

  connected(): void {
    this.#connectedAt = performance.now();
  }

  /** `soon`: it is worth waiting for. */
  plan(attempt: () => void): { readonly when: 'soon' | 'later'; readonly pauseMs: number } {
    const { reconnectsMax, reconnectWindowMs, reconnectFirstMs, reconnectLastMs } = this.#limits;
    // A connection that lasted was no failure of the attempts before it.
    if (this.#connectedAt !== null && performance.now() - this.#connectedAt >= reconnectWindowMs)
      this.#attempts = 0;
    this.#connectedAt = null;
    const late = this.#attempts - reconnectsMax;
    const pauseMs =
      late < 0
        ? reconnectFirstMs * 2 ** this.#attempts
        : Math.min(reconnectWindowMs * 2 ** late, reconnectLastMs);
    this.#attempts += 1;
    this.#timer = setTimeout(attempt, pauseMs * (1 + JITTER * (Math.random() - 0.5)));
    // A server that is not there keeps no program alive.
    this.#timer.unref();
    return { when: late < 0 ? 'soon' : 'later', pauseMs };
  }

  cancel(): void {
    clearTimeout(this.#timer);
  }
}
