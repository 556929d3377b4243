import { isSettled, type ToolCall } from '@countersign/protocol';
import { activeTurn, type Session } from './session.js';

/**
 * Work that the present state wants running. `turn`, `stamp` and the call name
 * all it depends on: where one of them differs, it is other work.
 */
export type Effect =
  | { readonly do: 'plan-call'; readonly callId: string; readonly turn: number; readonly stamp: number }
  | {
      readonly do: 'run-tool';
      readonly callId: string;
      readonly turn: number;
      readonly stamp: number;
      readonly stop: boolean;
      /** It was begun by a process that is gone: see what became of it, and never begin it twice. */
      readonly resume: boolean;
    }
  | {
      readonly do: 'run-hooks';
      readonly callId: string;
      readonly turn: number;
      readonly stamp: number;
      readonly stop: boolean;
    };

/** What one call wants done now, if anything. */
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

/** Everything that should be running in the world, given this state. The shell looks only at touched calls; tests compare. */
export function wanted(session: Session): Effect[] {
  return Array.from(session.calls.values(), (call) => effectOf(session, call)).filter(
    (effect) => effect !== null,
  );
}
