import type { Journal } from '@countersign/engine';
import type { Ack, AnswerPayload, Outcome } from '@countersign/protocol';
import type { Elsewhere, Waiting } from '@countersign/tui';
import { attachTo } from '../approvals.js';
import type { Surroundings } from '../compose.js';
import { CommandFailure } from '../failure-text.js';
import type { Io } from '../io.js';

type From = Pick<Surroundings, 'store' | 'toolModules' | 'policyFiles' | 'flags'>;

/** What waits in other sessions of the store. If no process owns one any more, answered calls run here. */
export function elsewhere(journal: Journal, from: From, by: string, io: Io): Elsewhere {
  const send = async ({ sessionId, callId, question }: Waiting, answer: Answer) => {
    for (;;) {
      const { client, own, leave } = await attachTo(journal, sessionId, from, io);
      const ack = await client.send({ type: 'answer', callId, digest: question.digest, by, ...answer });
      // Its owner ended between our looking and our asking: resume the session ourselves.
      if (!ack.ok && ack.failure.code === 'session_idle') continue;
      if (own) void own.idle().then(leave);
      return ack;
    }
  };
  return {
    list: () => journal.approvals(),
    answer: (waiting, outcome, payload) =>
      send(waiting, { outcome, ...(payload && { payload }) }).catch((thrown: unknown): Ack => {
        if (thrown instanceof CommandFailure) return { ok: false, failure: thrown.failure };
        throw thrown;
      }),
  };
}

type Answer = { readonly outcome: Outcome; readonly payload?: AnswerPayload };
