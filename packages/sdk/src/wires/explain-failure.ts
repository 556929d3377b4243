import { type Explanation, explain, type Failure, type FailureCode } from '@countersign/protocol';

/** Advice for a program that embeds the library, where the general advice names flags or commands of our program. */
const HINTS: { readonly [C in FailureCode]?: string } = {
  nobody_to_ask:
    'Continue without it, or set `interactive` of `Config` to true and answer questions, for example in `confirmHandler`.',
  sandbox_unavailable:
    'Install bubblewrap, or set COUNTERSIGN_SANDBOX=on to run commands that a person approves without it.',
  unknown_call: 'List the calls that wait with `pending()`.',
  not_waiting: 'List the calls that wait with `pending()`.',
  session_setup: 'Open it with the tools, rules and sandbox that it was opened with.',
  journal_read_only: 'Make the file and its directory writable, or open another with `sqlite(path)`.',
  journal_newer: 'Update Countersign, or open another journal with `sqlite(path)`. Nothing was changed.',
  journal_foreign: 'Open another path with `sqlite(path)`. The file was not changed.',
  session_idle:
    'Open it with a scheduler that has its `journal`, its `sessionId` and the same tools and rules.',
  unknown_session: 'Check `sessionId` and `journal`.',
  budget_unknown:
    'Nothing is lost. Limit what can be counted, or use a model whose price and usage are known.',
  turn_limit: 'Nothing is lost. Send "continue", or raise the limit.',
};

/** What happened and what to do next, in the terms of the library. */
export function explainFailure(failure: Failure): Explanation {
  const general = explain(failure);
  return { ...general, hint: HINTS[failure.code] ?? general.hint };
}
