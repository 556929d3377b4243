import { turnOf } from '@countersign/kernel';
import type { Notes } from '../notes/notes.js';
import type { Previews } from '../notes/previews.js';
import type { Toolbox } from '../tool/toolbox.js';
import type { WorkOptions } from '../work/work.js';
import { askWithin } from './ask-within.js';
import type { Mailbox } from './mailbox.js';
import type { SessionState } from './session-state.js';

type Reporting = {
  readonly tools: Toolbox;
  readonly mailbox: Mailbox;
  readonly notes: Notes;
  readonly previews: Previews;
  readonly now: () => number;
  readonly state: SessionState;
};

/** What work has to say while it is under way and when it ends becomes mail: nothing about the session changes in any other way. */
export function workReports({
  tools,
  mailbox,
  notes: { answerListeners, nested },
  previews,
  now,
  state,
}: Reporting): Pick<WorkOptions, 'planned' | 'ran' | 'hooked' | 'ask' | 'setMode'> {
  return {
    planned({ callId, turn, revision }, { outcome, hooked }) {
      answerListeners.planned(callId, outcome);
      if (turnOf(state.session, turn)?.sealed === false) previews.keep(turn, callId, outcome);
      mailbox.report({ type: 'plan.ended', callId, turn, revision, outcome, hooked, at: now() });
    },
    ran({ callId, turn }, attempt, outcome, widened, { complete, endedAt }) {
      if (widened) answerListeners.planned(callId, widened);
      const at = endedAt ?? now();
      mailbox.report({ type: 'tool.ended', callId, turn, attempt, outcome, widened, complete, at });
    },
    hooked({ callId, turn }, attempt, looked) {
      mailbox.report({ type: 'hooks.ended', callId, turn, attempt, ...looked, at: now() });
    },
    ask: (request, questions, options) =>
      askWithin(request, questions, options, { tools, mailbox, nested, now }),
    setMode: (mode, by) => mailbox.report({ type: 'set-mode', mode, by, at: now() }),
  };
}
