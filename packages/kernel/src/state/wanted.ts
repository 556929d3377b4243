import { isSettled, type ToolCall } from '@countersign/protocol';
import { activeTurn, type Session } from './session.js';

/**
 * Work that the current state requires. Call, turn and stamp identify it: where
 * one of them differs, it is other work.
 */
export type Effect = { readonly callId: string; readonly turn: number; readonly stamp: number } & (
  | { readonly do: 'plan-call' }
  /** `resume`: a process that ended has started the tool; find out the result, and never start it twice. */
  | { readonly do: 'run-tool'; readonly stop: boolean; readonly resume: boolean }
  | { readonly do: 'run-hooks'; readonly stop: boolean }
);

/** The work that one call requires now, if any. */
export function effectOf(session: Session, call: ToolCall): Effect | null {
  if (isSettled(call)) return null;
  const { callId, turn, revision } = call.request;
  switch (call.status) {
    case 'validating':
      return call.step === 'planning' && activeTurn(session)?.turn === turn
        ? { do: 'plan-call', callId, turn, stamp: revision }
        : null;
    case 'awaiting_approval':
      return call.step === 'replanning' ? { do: 'plan-call', callId, turn, stamp: revision } : null;
    case 'scheduled':
      return null;
    case 'executing':
      if (call.finished)
        return { do: 'run-hooks', callId, turn, stamp: call.attempt, stop: call.aborting !== null };
      return {
        do: 'run-tool',
        callId,
        turn,
        stamp: call.attempt,
        stop: call.aborting !== null,
        resume: call.epoch !== session.epoch,
      };
  }
}

/** All work that the state requires. The shell looks only at touched calls; tests compare the two. */
export function wanted(session: Session): Effect[] {
  return Array.from(session.calls.values(), (call) => effectOf(session, call)).filter(
    (effect) => effect !== null,
  );
}
