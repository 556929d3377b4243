import { type Failure, isTransient } from '@countersign/protocol';
import { pause } from './pause.js';
import { ModelError, type ModelEvent, type ModelRequest, type Provider } from './provider.js';

export type Patience = {
  readonly triesMax: number;
  /** Before the second try; doubled with each further one. */
  readonly firstDelayMs: number;
  readonly delayMaxMs: number;
  /** A longer delay is reported to the user instead. */
  readonly retryAfterMaxMs: number;
  /** No try begins later than this after the first: limits on silence would add up otherwise. */
  readonly beginWithinMs: number;
};

const PATIENCE: Patience = {
  // Delays of about 1, 2, 4, 8 and 16 s: a busy provider mostly has a place within half a minute.
  triesMax: 6,
  firstDelayMs: 1_000,
  delayMaxMs: 30_000,
  retryAfterMaxMs: 120_000,
  beginWithinMs: 600_000,
};

/**
 * Asks again after a passing fault, as long as nothing of an answer was given away: text that was shown and calls that
 * were planned cannot be taken back, thoughts can.
 */
export function retrying(provider: Provider, patience: Partial<Patience> = {}): Provider {
  const limits = { ...PATIENCE, ...patience };
  return { name: provider.name, stream: (request, signal) => tries(provider, limits, request, signal) };
}

async function* tries(
  provider: Provider,
  patience: Patience,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const begunAt = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    let isGivenAway = false;
    try {
      for await (const event of provider.stream(request, signal)) {
        isGivenAway ||= event.type !== 'thought' && event.type !== 'retry';
        yield event;
      }
      return;
    } catch (error) {
      if (!(error instanceof ModelError) || isGivenAway || attempt >= patience.triesMax) throw error;
      const delayMs = delayFor(error.failure, attempt, patience);
      const beginsAt = performance.now() + (delayMs ?? 0);
      if (delayMs === null || beginsAt - begunAt > patience.beginWithinMs) throw error;
      yield { type: 'retry', attempt, delayMs, because: error.failure };
      await pause(delayMs, signal);
    }
  }
}

/** Null: trying again does not help, or would take too long. */
function delayFor(failure: Failure, attempt: number, patience: Patience): number | null {
  if (!isTransient(failure)) return null;
  const wanted = failure.code === 'model_overloaded' ? failure.retryAfterMs : null;
  if (wanted !== null && wanted > patience.retryAfterMaxMs) return null;
  const backOff = Math.min(patience.firstDelayMs * 2 ** (attempt - 1), patience.delayMaxMs);
  // Spread, so that many who were turned away together do not come back together; never sooner than asked for.
  return Math.ceil((wanted ?? backOff * 0.75) + backOff * 0.5 * Math.random());
}
