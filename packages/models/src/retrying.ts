import { type Failure, isTransient } from '@countersign/protocol';
import { pause } from './pause.js';
import { ModelError, type ModelEvent, type ModelRequest, type Provider } from './provider.js';

export type RetryLimits = {
  readonly triesMax: number;
  /** Before the second try; doubled with each further one. */
  readonly firstDelayMs: number;
  readonly delayMaxMs: number;
  /** A longer delay is reported to the user instead. */
  readonly retryAfterMaxMs: number;
  /** No try begins later than this after the first: limits on silence would add up otherwise. */
  readonly beginWithinMs: number;
};

const RETRY_LIMITS: RetryLimits = {
  // Delays of about 1, 2, 4, 8 and 16 s: a busy provider mostly has a place within half a minute.
  triesMax: 6,
  firstDelayMs: 1_000,
  delayMaxMs: 30_000,
  retryAfterMaxMs: 120_000,
  beginWithinMs: 600_000,
};

/**
 * Retries after a transient failure, unless a part of the response was passed on: text that was shown and calls that
 * were planned cannot be taken back, thoughts can.
 */
export function retrying(provider: Provider, given: Partial<RetryLimits> = {}): Provider {
  const limits = { ...RETRY_LIMITS, ...given };
  return { name: provider.name, stream: (request, signal) => tries(provider, limits, request, signal) };
}

async function* tries(
  provider: Provider,
  limits: RetryLimits,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const begunAt = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    let isPassedOn = false;
    try {
      for await (const event of provider.stream(request, signal)) {
        isPassedOn ||= event.type !== 'thought' && event.type !== 'retry';
        yield event;
      }
      return;
    } catch (error) {
      if (!(error instanceof ModelError) || isPassedOn || attempt >= limits.triesMax) throw error;
      const delayMs = delayFor(error.failure, attempt, limits);
      const beginsAt = performance.now() + (delayMs ?? 0);
      if (delayMs === null || beginsAt - begunAt > limits.beginWithinMs) throw error;
      yield { type: 'retry', attempt, delayMs, because: error.failure };
      await pause(delayMs, signal);
    }
  }
}

/** Null: trying again does not help, or would take too long. */
function delayFor(failure: Failure, attempt: number, limits: RetryLimits): number | null {
  if (!isTransient(failure)) return null;
  if (failure.code === 'model_unreachable' && failure.refused) return null;
  if (failure.code === 'model_nonsense' && failure.contentType !== undefined) return null;
  const wanted = failure.code === 'model_overloaded' ? failure.retryAfterMs : null;
  if (wanted !== null && wanted > limits.retryAfterMaxMs) return null;
  const backOff = Math.min(limits.firstDelayMs * 2 ** (attempt - 1), limits.delayMaxMs);
  // With jitter, so that clients that were rejected together do not retry together; never sooner than requested.
  return Math.ceil((wanted ?? backOff * 0.75) + backOff * 0.5 * Math.random());
}
