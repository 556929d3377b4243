import type { CompletedToolCall } from '../types/call-types.js';

/**
 * Counts calls and measures durations over all batches. Pass `handler` as `onAllToolCallsComplete`.
 *
 * @example
 * ```ts
 * const tracker = new PerformanceTracker();
 * const scheduler = new Scheduler({ toolRegistry: registry, onAllToolCallsComplete: tracker.handler });
 * show(tracker.totalCalls, tracker.successRate);
 * ```
 */
export class PerformanceTracker {
  #calls = 0;
  #successes = 0;
  #durationMs = 0;

  /** Adds a batch. */
  record(completed: readonly CompletedToolCall[]): void {
    for (const { status, durationMs } of completed) {
      this.#calls += 1;
      this.#durationMs += durationMs;
      if (status === 'success') this.#successes += 1;
    }
  }

  /** `record` as a function of its own, to be handed over. */
  readonly handler = (completed: readonly CompletedToolCall[]): void => this.record(completed);

  /** Completed calls of every status. */
  get totalCalls(): number {
    return this.#calls;
  }

  /** Milliseconds of execution per call; 0 before the first. */
  get averageDuration(): number {
    return this.#calls === 0 ? 0 : this.#durationMs / this.#calls;
  }

  /** The share of calls that succeeded, from 0 to 1; 0 before the first. */
  get successRate(): number {
    return this.#calls === 0 ? 0 : this.#successes / this.#calls;
  }
}
