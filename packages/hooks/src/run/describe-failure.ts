import type { HookFailure, HookRef } from '../hook.js';

/** What went wrong with a hook, to go on after "it failed:". */
export function describeFailure(failure: HookFailure): string {
  switch (failure.how) {
    case 'timed_out':
      return `it did not answer within ${failure.afterMs} ms and was ended`;
    case 'cancelled':
      return 'it was cancelled before it answered';
    case 'exited':
      return `it ended with exit code ${failure.code}${failure.text === '' ? ' and said nothing' : `: ${cut(failure.text, WORDS_CHARS_SHOWN)}`}`;
    case 'killed':
      return `it was ended by ${failure.signal}`;
    case 'not_started':
      return `it could not be started: ${failure.message}`;
    case 'printed_too_much':
      return `it printed more than ${failure.bytesMax.toLocaleString('en')} bytes and was ended`;
    case 'nonsense':
      return `what it printed is no answer: ${failure.problem}`;
  }
}

/** Why a hook that failed stands in the way. */
export const describeRefusal = (hook: HookRef, failure: HookFailure): string =>
  failure.how === 'cancelled'
    ? `${nameOf(hook)} was cancelled before it answered.`
    : `${nameOf(hook)} failed, and what it guards is refused until it works: ${describeFailure(failure)}. It is set up in ${hook.file} (${hook.path}).`;

/** `Hook "scan"`, by its command where it has no name. */
export const nameOf = ({ name, command }: HookRef): string =>
  `Hook "${name ?? cut(command, COMMAND_CHARS_SHOWN)}"`;

const COMMAND_CHARS_SHOWN = 80;
const WORDS_CHARS_SHOWN = 2_000; // enough for a stack trace; all of it is in the log of the run

const cut = (text: string, chars: number) => (text.length > chars ? `${text.slice(0, chars)}…` : text);
