import { emptySession, evolve, type Session } from '@countersign/kernel';
import type { Event, Fact, SequencedEvent, ToolCall } from '@countersign/protocol';

/** A session's state, folded from its events the way its owner does it. */
export class SessionFold {
  readonly session: Session;
  /** The number of the next event. */
  #seq = 0;

  constructor(sessionId: string) {
    this.session = emptySession(sessionId);
  }

  get seq(): number {
    return this.#seq;
  }

  /** The event with its call, as that is now. */
  fold({ seq, event }: SequencedEvent): Fact {
    evolve(this.session, event);
    this.session.touched = [];
    this.#seq = seq + 1;
    return { seq, event, call: callOf(event, this.session) };
  }
}

function callOf(event: Event, { calls }: Session): ToolCall | undefined {
  if (event.type === 'call.requested') return calls.get(event.request.callId);
  return 'callId' in event ? calls.get(event.callId) : undefined;
}
