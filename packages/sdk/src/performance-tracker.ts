import type { CompletedToolCall } from './scheduler/call-types.js';

/** Counts and durations over all batches it receives. Pass `handler` as `onAllToolCallsComplete`. */
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
