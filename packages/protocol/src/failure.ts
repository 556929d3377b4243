import { ANSWER_FAILURES, type AnswerFailure } from './failures/answers.js';
import { CALL_FAILURES, type CallFailure } from './failures/calls.js';
import { COMMAND_FAILURES, type CommandFailure } from './failures/commands.js';
import type { Audience, Entries, Entry } from './failures/entry.js';
import { FILE_FAILURES, type FileFailure } from './failures/files.js';
import { JOURNAL_FAILURES, type JournalFailure } from './failures/journal.js';
import { MCP_FAILURES, type McpFailure } from './failures/mcp.js';
import { MODEL_FAILURES, type ModelFailure } from './failures/models.js';
import { SETUP_FAILURES, type SetupFailure } from './failures/setup.js';
import { shortened } from './failures/shortened.js';
import { WEB_FAILURES, type WebFailure } from './failures/web.js';

export type { Audience, Excerpt } from './failures/entry.js';
export { shortened } from './failures/shortened.js';

/**
 * Everything that can go wrong, as data. Texts live in `FAILURES`, next to who
 * should read them, so that a code can be switched on and a sentence improved
 * without touching what is stored. docs/FAILURES.md tells of each.
 */
export type Failure =
  | CallFailure
  | CommandFailure
  | WebFailure
  | McpFailure
  | FileFailure
  | AnswerFailure
  | JournalFailure
  | ModelFailure
  | SetupFailure;

/** Names a failure; docs/FAILURES.md describes each. */
export type FailureCode = Failure['code'];
export type FailureOf<C extends FailureCode> = Extract<Failure, { code: C }>;

export const FAILURES: Entries<Failure> = {
  ...CALL_FAILURES,
  ...COMMAND_FAILURES,
  ...WEB_FAILURES,
  ...MCP_FAILURES,
  ...FILE_FAILURES,
  ...ANSWER_FAILURES,
  ...JOURNAL_FAILURES,
  ...MODEL_FAILURES,
  ...SETUP_FAILURES,
};

export type Explanation = { readonly message: string; readonly hint: string; readonly audience: Audience };

/** What happened, what is left, what next. */
export function explain<C extends FailureCode>(failure: FailureOf<C> & { readonly code: C }): Explanation {
  const entry: Entry<FailureOf<C>> = FAILURES[failure.code];
  const told = shortened(failure);
  return { message: entry.message(told), hint: entry.hint(told), audience: entry.audience };
}

export const isTransient = (failure: Failure): boolean => FAILURES[failure.code].transient;
