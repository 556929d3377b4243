import { sendToOwner } from '@countersign/attach';
import type { Journal } from '@countersign/engine';
import type { Ack, AnswerPayload, Outcome } from '@countersign/protocol';
import type { Elsewhere, Waiting } from '@countersign/tui';
import { attachTo } from '../approvals/approvals.js';
import type { SessionConfig } from '../compose/compose.js';
import { CommandFailure } from '../io/failure-text.js';
import type { Io } from '../io/io.js';

type From = Pick<SessionConfig, 'store' | 'toolModules' | 'policyFiles' | 'flags'>;

/** Open questions of other sessions in the store. If a session has no owner, its answered calls run here. */
export function elsewhere(journal: Journal, from: From, by: string, io: Io): Elsewhere {
  const listeners = new Set<() => void>();
  // The store only reports changes by other processes.
  const ranHere = () => {
    for (const onChange of listeners) onChange();
  };
  const send = async ({ sessionId, callId, question }: Waiting, answer: Answer) => {
    const command = { type: 'answer', callId, digest: question.digest, by, ...answer } as const;
    const { attached, ack } = await sendToOwner(() => attachTo(journal, sessionId, from, io), command);
    if (attached.own) void attached.own.idle().then(attached.leave).finally(ranHere);
    return ack;
  };
  return {
    list: () => journal.approvals(),
    watch: (onChange) => {
      listeners.add(onChange);
      const unwatch = journal.watch(onChange);
      return () => {
        listeners.delete(onChange);
        unwatch();
      };
    },
    answer: (waiting, outcome, payload) =>
      send(waiting, { outcome, ...(payload && { payload }) }).catch((thrown: unknown): Ack => {
        if (thrown instanceof CommandFailure) return { ok: false, failure: thrown.failure };
        throw thrown;
      }),
  };
}

type Answer = { readonly outcome: Outcome; readonly payload?: AnswerPayload };
