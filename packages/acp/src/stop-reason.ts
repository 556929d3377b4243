import type { StopReason } from '@agentclientprotocol/sdk';
import type { Ending } from '@countersign/agent';
import { explain, type Failure } from '@countersign/protocol';

export type Stop = {
  /** Null for what went wrong, which is an error and no reason to stop. */
  readonly stopReason: StopReason | null;
  /** What the user should know; null if the stop reason is enough. */
  readonly words: string | null;
};

/** How the work on a prompt ended. `lastFinish`: why the model stopped. */
export function stopFor(ending: Ending, lastFinish: string): Stop {
  switch (ending.type) {
    case 'answered':
      return { stopReason: lastFinish === 'length' ? 'max_tokens' : 'end_turn', words: null };
    case 'cancelled':
      return { stopReason: 'cancelled', words: null };
    case 'failed': {
      const stopReason = reasonFor(ending.failure);
      const { message, hint } = explain(ending.failure);
      const isReported = stopReason === null || stopReason === 'cancelled';
      return { stopReason, words: isReported ? null : `${message} ${hint}` };
    }
  }
}

function reasonFor(failure: Failure): StopReason | null {
  switch (failure.code) {
    case 'budget_spent':
    case 'budget_unknown':
      return failure.what === 'tokens' ? 'max_tokens' : 'max_turn_requests';
    case 'turn_limit':
    case 'loop_detected':
      return 'max_turn_requests';
    case 'answer_blocked':
    case 'hook_denied':
      return 'refusal';
    case 'disposed':
      return 'cancelled';
    default:
      return null;
  }
}
