import type { Entries } from './entry.js';

/** What can be wrong with an answer or a command to a session. */
export type AnswerFailure =
  | { readonly code: 'unknown_call'; readonly callId: string }
  | {
      readonly code: 'already_answered';
      readonly callId: string;
      readonly by: string;
      readonly at: number;
      readonly outcome: string;
      /** What of the refused answer has no effect: its outcome if that is another one, and what it carried; omitted if nothing. */
      readonly notApplied?: readonly string[];
      /** What the first answer carried besides its outcome and the refused one did not; omitted if nothing. */
      readonly carried?: string;
    }
  | { readonly code: 'key_reused'; readonly key: string }
  | { readonly code: 'call_id_reused'; readonly callId: string }
  | { readonly code: 'already_settled'; readonly callId: string; readonly status: string }
  | { readonly code: 'not_waiting'; readonly callId: string; readonly status: string }
  | { readonly code: 'question_changed'; readonly callId: string; readonly why: string }
  | { readonly code: 'outcome_not_offered'; readonly outcome: string; readonly offered: readonly string[] }
  | { readonly code: 'invalid_answer'; readonly problem: string }
  | { readonly code: 'path_not_shown'; readonly paths: readonly string[] }
  | { readonly code: 'unknown_grant'; readonly grantId: string }
  | { readonly code: 'unknown_turn'; readonly turn: number }
  | { readonly code: 'busy'; readonly turn: number }
  | { readonly code: 'disposed' }
  | { readonly code: 'internal'; readonly message: string };

export const ANSWER_FAILURES: Entries<AnswerFailure> = {
  unknown_call: {
    audience: 'person',
    when: 'A command names a call that this session does not have.',
    message: ({ callId }) => `No open call has the id "${callId}".`,
    hint: () => 'List pending approvals with: countersign approvals list',
  },
  already_answered: {
    audience: 'person',
    when: 'Another answer came first.',
    message: ({ by, at, outcome, notApplied = [], carried }) =>
      `Already answered by ${by} at ${new Date(at).toISOString()} with "${outcome}"${
        carried === undefined ? '' : ` and ${carried}`
      }.${notApplied.length > 0 ? ` Not applied: ${notApplied.join(', ')}.` : ''}`,
    hint: ({ notApplied = [], carried }) => {
      if (notApplied.length > 0)
        return 'The first answer counts, as it was given, and this one has no effect. To stop the call, cancel it; to change something, request the call again.';
      return carried === undefined
        ? 'The first answer counts. Nothing more is needed.'
        : 'The first answer counts, with what it carried: changed arguments are those that ran. To run the call as it was shown, request it again.';
    },
  },
  key_reused: {
    audience: 'person',
    when: 'An idempotency key was used in this session for another command of the same person.',
    message: ({ key }) => `The key "${key}" was already used for another command in this session.`,
    hint: () => 'This command had no effect. Send it with a new key.',
  },
  call_id_reused: {
    audience: 'person',
    when: 'A call id was used in this session for another call.',
    message: ({ callId }) =>
      `The call id "${callId}" was already used in this session for another call or batch.`,
    hint: () => 'This command had no effect. Send it with other ids, or with a key of its own.',
  },
  already_settled: {
    audience: 'person',
    when: 'A command is about a call that has ended.',
    message: ({ callId, status }) => `The call "${callId}" has already ended (${status}).`,
    hint: () => 'Nothing more is needed.',
  },
  not_waiting: {
    audience: 'person',
    when: 'An answer is for a call that is not waiting for one.',
    message: ({ callId, status }) => `The call "${callId}" is not waiting for an answer (${status}).`,
    hint: () => 'List pending approvals with: countersign approvals list',
  },
  question_changed: {
    audience: 'person',
    when: 'The call would no longer do what was shown.',
    message: ({ callId, why }) => `The question about "${callId}" has changed: ${why}.`,
    hint: () => 'Read the new question and answer that one.',
  },
  outcome_not_offered: {
    audience: 'person',
    when: 'An answer has an outcome that the question does not offer.',
    message: ({ outcome, offered }) =>
      `"${outcome}" is not offered here.${offered.length ? ` Offered: ${offered.join(', ')}.` : ''}`,
    hint: () => 'Choose one of the offered outcomes.',
  },
  invalid_answer: {
    audience: 'person',
    when: "An answer's payload does not fit its outcome or its question.",
    message: ({ problem }) => `The answer cannot be used: ${problem}.`,
    hint: () => 'The question is still open. Correct the answer and send it again.',
  },
  path_not_shown: {
    audience: 'person',
    when: 'Changed arguments would touch files that the question did not show.',
    message: ({ paths }) => `The changed call would touch files that were not shown: ${paths.join(', ')}.`,
    hint: () => 'The question is still open. Change only the files shown, or decline with feedback.',
  },
  unknown_grant: {
    audience: 'person',
    when: 'A grant to revoke does not exist or was already revoked.',
    message: ({ grantId }) => `No active grant has the id "${grantId}".`,
    hint: () => 'It allows nothing. List the active grants with: countersign grants list',
  },
  unknown_turn: {
    audience: 'person',
    when: 'A command names a turn that is not open.',
    message: ({ turn }) => `Turn ${turn} is not open.`,
    hint: () => 'It has ended, or never began. Nothing more is needed.',
  },
  busy: {
    audience: 'person',
    when: 'A second batch was sent while one is active, and the program chose to refuse it.',
    message: () =>
      'Cannot schedule new tool calls while other tool calls are actively running (executing or awaiting approval).',
    hint: () => 'Wait for the active batch to end, or let batches queue.',
  },
  disposed: {
    audience: 'operator',
    when: 'A command reached a session that was closed.',
    message: () => 'This session has been closed.',
    hint: () => 'Open it again, then repeat the command.',
  },
  internal: {
    audience: 'operator',
    when: 'Countersign found an internal contradiction; the session was restored from the journal.',
    message: ({ message }) => `An internal error in Countersign: ${message}`,
    hint: () => 'Nothing was run because of it. Please report it with the steps that led to it.',
  },
};
