import type { Event, ScheduledCall } from '@countersign/protocol';
import { isFree } from './conflicts.js';
import type { Limits } from './input.js';
import { activeTurn, type Session, type Turn } from './session.js';

/** The next fact that follows from the state alone: a call starts, or the turn is over. Null when nothing follows. */
export function schedule(session: Session, limits: Limits, at: number): Event | null {
  const turn = activeTurn(session);
  if (!turn?.sealed) return null;
  if (turn.unsettled === 0) return { type: 'turn.ended', turn: turn.turn, at };
  if (limits.starts === 'stopped') return null;
  // All were decided once; the sandbox, or a call that a hook asked for, may have brought a new question.
  if (turn.start === 'together' && turn.undecided > 0) return null;
  const call = nextReady(session, turn, session.running >= limits.runningMax);
  if (call === null) return null;
  const { callId } = call.request;
  return { type: 'call.started', callId, attempt: call.starts + 1, epoch: session.epoch, at };
}

/**
 * Passes over what is no longer true: calls that were cancelled, or that an edit moved behind others. Where no more may
 * run, only what a running call waits for may, or it would wait forever; that stands before all others.
 */
function nextReady(session: Session, turn: Turn, isFull: boolean): ScheduledCall | null {
  for (; turn.readyFrom < turn.ready.length; turn.readyFrom++) {
    const id = turn.ready[turn.readyFrom] ?? '';
    const call = session.calls.get(id);
    if (call?.status !== 'scheduled' || !isFree(turn.conflicts, id)) continue;
    return isFull && !call.request.within ? null : call;
  }
  turn.ready = [];
  turn.readyFrom = 0;
  return null;
}
