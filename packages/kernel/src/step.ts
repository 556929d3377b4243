import type { Event, Failure } from '@countersign/protocol';
import { decide } from './decide/decide.js';
import { evolve } from './state/evolve.js';
import type { Circumstances, Input } from './state/input.js';
import { schedule } from './state/schedule.js';
import type { Session } from './state/session.js';

export type Step = { readonly refusal: Failure | null; readonly repeated: boolean };

/** Called with each fact right after it was folded in, while its calls are still in the session. */
export type Observe = (event: Event, session: Session) => void;

/** Take one input: decide, fold, and continue with what follows from the state alone. */
export function step(session: Session, input: Input, circumstances: Circumstances, observe: Observe): Step {
  const { events, refusal, repeated = false } = decide(session, input, circumstances);
  for (const event of events) {
    evolve(session, event);
    observe(event, session);
  }
  // A process that may not resume the session starts nothing of it.
  if (input.type === 'open' && refusal) return { refusal, repeated };
  for (;;) {
    const next = schedule(session, circumstances.limits, input.at);
    if (!next) return { refusal, repeated };
    evolve(session, next);
    observe(next, session);
  }
}
