import type { FileChange } from '../hook/changed-files.js';
import type { HookFailure, HookRef } from '../hook/hook.js';

/** What went wrong with a hook, to go on after "it failed:". */
export function describeFailure(failure: HookFailure): string {
  switch (failure.how) {
    case 'timed_out':
      return `it did not answer within ${failure.afterMs} ms and was ended`;
    case 'cancelled':
      return 'it was cancelled before it answered';
    case 'not_trusted':
      return failure.changes.length === 0
        ? 'it was not run, since nobody has said that its folder is trusted'
        : `it was not run, since what it runs is not what was trusted: ${inWords(failure.changes)}`;
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

const inWords = (changes: readonly FileChange[]) =>
  changes.map(({ path, how }) => `${path} was ${how}`).join(', ');

/** Why a hook that failed stands in the way. */
export function describeRefusal(hook: HookRef, failure: HookFailure): string {
  const setUp = `It is set up in ${hook.file} (${hook.path}).`;
  if (failure.how === 'cancelled') return `${nameOf(hook)} was cancelled before it answered.`;
  if (failure.how === 'not_trusted') {
    return `${nameOf(hook)} stands in the way: ${describeFailure(failure)}. What it guards is refused until somebody has looked and run "countersign trust". ${setUp}`;
  }
  return `${nameOf(hook)} failed, and what it guards is refused until it works: ${describeFailure(failure)}. ${setUp}`;
}

/** `Hook "scan"`, by its command where it has no name. */
export const nameOf = (hook: HookRef): string => `Hook "${shortNameOf(hook)}"`;

export const shortNameOf = ({ name, command }: HookRef): string => name ?? cut(command, COMMAND_CHARS_SHOWN);

const COMMAND_CHARS_SHOWN = 80;
const WORDS_CHARS_SHOWN = 2_000; // enough for a stack trace; all of it is in the log of the run

const cut = (text: string, chars: number) => (text.length > chars ? `${text.slice(0, chars)}…` : text);
