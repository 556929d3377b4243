import type { McpLimits } from './limits.js';

const JITTER = 0.25; // so that servers which fell together do not all come back at once

/** When a server that was lost is connected again: later each time, and not forever. */
export class Reconnects {
  readonly #limits: Pick<McpLimits, 'reconnectsMax' | 'reconnectWindowMs' | 'reconnectFirstMs'>;
  #times: number[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: Pick<McpLimits, 'reconnectsMax' | 'reconnectWindowMs' | 'reconnectFirstMs'>) {
    this.#limits = limits;
  }

  /** Whether there is to be another attempt. */
  plan(attempt: () => void): boolean {
    const { reconnectsMax, reconnectWindowMs, reconnectFirstMs } = this.#limits;
    const now = performance.now();
    this.#times = this.#times.filter((at) => now - at < reconnectWindowMs);
    if (this.#times.length >= reconnectsMax) return false;
    const pauseMs = reconnectFirstMs * 2 ** this.#times.length;
    this.#times.push(now);
    this.#timer = setTimeout(attempt, pauseMs * (1 + JITTER * (Math.random() - 0.5)));
    return true;
  }

  cancel(): void {
    clearTimeout(this.#timer);
  }
}
