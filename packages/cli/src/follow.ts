import type { SessionClient } from '@countersign/engine';
import { emptySession, evolve, type Session } from '@countersign/kernel';
import { type AwaitingCall, type Event, isSettled, type Live, type SettledCall } from '@countersign/protocol';

/** What a front end wants to learn of a session while it follows it. */
export type Listener = {
  readonly onEvent?: (seq: number, event: Event) => void;
  readonly onLive?: (live: Live) => void;
  /** A question is new, or not the same as before. */
  readonly onAsked?: (call: AwaitingCall) => void;
  /** A question no longer waits: answered here or elsewhere, withdrawn, or cancelled; with the person who did it, if any. */
  readonly onNoLongerAsked?: (callId: string, by: string | null) => void;
  readonly onSettled?: (call: SettledCall) => void;
  readonly onTurnEnded?: (turn: number) => void;
};

/**
 * Fold a session's facts the way its owner does, and tell what follows from
 * them. Works the same for a session of this process and of another one.
 */
export async function follow(client: SessionClient, signal: AbortSignal, listener: Listener): Promise<void> {
  const session = emptySession(client.sessionId);
  for await (const batch of client.events(0, signal)) {
    const asked = new Set<string>();
    for (const delivery of batch) {
      if ('live' in delivery) listener.onLive?.(delivery.live);
      else {
        evolve(session, delivery.event);
        session.touched = [];
        tell(delivery.seq, delivery.event, session, listener);
        const { event } = delivery;
        if (event.type === 'call.asked' || event.type === 'call.blocked') asked.add(event.callId);
      }
    }
    // Only now: a batch may hold the past, and with it questions that have long been answered.
    for (const callId of asked) {
      const call = session.calls.get(callId);
      if (call?.status === 'awaiting_approval') listener.onAsked?.(call);
    }
  }
}

function tell(seq: number, event: Event, session: Session, listener: Listener): void {
  listener.onEvent?.(seq, event);
  switch (event.type) {
    case 'call.rewritten':
      listener.onNoLongerAsked?.(event.callId, event.by);
      return;
    case 'call.granted':
      listener.onNoLongerAsked?.(event.callId, answeredBy(session, event.callId));
      return;
    case 'call.succeeded':
    case 'call.failed':
    case 'call.cancelled': {
      listener.onNoLongerAsked?.(event.callId, answeredBy(session, event.callId));
      const call = session.calls.get(event.callId);
      if (call && isSettled(call)) listener.onSettled?.(call);
      return;
    }
    case 'turn.ended':
      listener.onTurnEnded?.(event.turn);
      return;
    default:
  }
}

function answeredBy(session: Session, callId: string): string | null {
  const call = session.calls.get(callId);
  return call && 'answer' in call ? (call.answer?.by ?? null) : null;
}
