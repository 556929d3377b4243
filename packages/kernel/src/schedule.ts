import type { Event } from '@countersign/protocol';
import { isFree } from './conflicts.js';
import type { Limits } from './input.js';
import { activeTurn, type Session, type Turn } from './session.js';

/** The next fact that follows from the state alone: a call starts, or the turn is over. Null when nothing follows. */
export function schedule(session: Session, limits: Limits, at: number): Event | null {
  const turn = activeTurn(session);
  if (!turn?.sealed) return null;
  if (turn.unsettled === 0) return { type: 'turn.ended', turn: turn.turn, at };
  if (session.running >= limits.runningMax) return null;
  const callId = nextReady(session, turn);
  return callId === null ? null : { type: 'call.started', callId, attempt: 1, epoch: session.epoch, at };
}

/** Passes over what is no longer true: calls that were cancelled, or that an edit moved behind others. */
function nextReady(session: Session, turn: Turn): string | null {
  for (; turn.readyFrom < turn.ready.length; turn.readyFrom++) {
    const id = turn.ready[turn.readyFrom];
    if (id !== undefined && session.calls.get(id)?.status === 'scheduled' && isFree(turn.conflicts, id))
      return id;
  }
  turn.ready = [];
  turn.readyFrom = 0;
  return null;
}
