import type { AgentEvent, Ending, Spending } from '@countersign/agent';
import { explain } from '@countersign/protocol';
import type { EndSignal } from '../io/end-signals.js';

/** How a run is reported to the process that started it. */
export type Output = {
  readonly begin: (sessionId: string, model: string, prompt: string) => void;
  readonly onEvent: (event: AgentEvent) => void;
  readonly warn: (text: string) => void;
  readonly end: (ending: RunEnding, bill: Bill) => void;
};

/** How a run ended; `waiting`: open questions are kept for other clients; `signal`: which one ended the program. */
export type RunEnding =
  | Ending
  | { readonly type: 'cancelled'; readonly signal: EndSignal }
  | { readonly type: 'waiting'; readonly calls: number };

export type Bill = {
  readonly model: string;
  /** For this run. */
  readonly spent: Spending;
  /** For all of the session. */
  readonly session: Spending;
};

/** Why a run did not succeed, for the JSON formats. */
export function errorOf(ending: RunEnding): {
  readonly error?: { readonly type: string; readonly message: string };
} {
  switch (ending.type) {
    case 'answered':
      return {};
    case 'cancelled':
      return { error: { type: 'cancelled', message: cancelledText(ending) } };
    case 'waiting':
      return { error: { type: 'waiting', message: waitingText(ending.calls) } };
    case 'failed':
      return { error: { type: ending.failure.code, message: explain(ending.failure).message } };
  }
}

/** Ctrl-C is a decision of the user; another signal is not. */
const cancelledText = (ending: Extract<RunEnding, { type: 'cancelled' }>): string =>
  'signal' in ending && ending.signal !== 'SIGINT' ? `Ended by ${ending.signal}.` : 'Cancelled by the user.';

export const waitingText = (calls: number): string =>
  `${calls === 1 ? '1 call waits' : `${calls} calls wait`} for approval. The session is saved.`;
