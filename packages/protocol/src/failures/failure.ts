import { ANSWER_FAILURES, type AnswerFailure } from './answers.js';
import { CALL_FAILURES, type CallFailure } from './calls.js';
import { COMMAND_FAILURES, type CommandFailure } from './commands.js';
import type { Audience, Entries, Entry } from './entry.js';
import { FILE_FAILURES, type FileFailure } from './files.js';
import { JOURNAL_FAILURES, type JournalFailure } from './journal.js';
import { MCP_FAILURES, type McpFailure } from './mcp.js';
import { MODEL_FAILURES, type ModelFailure } from './models.js';
import { SETUP_FAILURES, type SetupFailure } from './setup.js';
import { shortened } from './shortened.js';
import { WEB_FAILURES, type WebFailure } from './web.js';

export type { Audience, Excerpt } from './entry.js';
export { shortened } from './shortened.js';

/**
 * Everything that can go wrong, as data. Texts are in `FAILURES`, with the audience of each, so that a program can switch
 * on a code, and a text can improve without changing what is stored. docs/FAILURES.md lists all.
 *
 * @example
 * ```ts
 * const failure: Failure = { code: 'execution_failed', message: 'The queue is full.' };
 * ```
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

/**
 * The code of a failure; docs/FAILURES.md says what to do about each.
 *
 * @example
 * ```ts
 * const isTimeout = (code: FailureCode) => code === 'timed_out';
 * ```
 */
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
  const shown = shortened(failure);
  return { message: entry.message(shown), hint: entry.hint(shown), audience: entry.audience };
}

export const isTransient = (failure: Failure): boolean => FAILURES[failure.code].transient ?? false;
