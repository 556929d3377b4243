import type { FileChange } from '../hook/changed-files.js';
import type { HookFailure, HookRef } from '../hook/hook.js';

/** What went wrong with a hook, to continue after "it failed:". */
export function describeFailure(failure: HookFailure): string {
  switch (failure.how) {
    case 'timed_out':
      return `it did not respond within ${failure.afterMs} ms and was terminated`;
    case 'cancelled':
      return 'it was cancelled before it responded';
    case 'not_trusted':
      return failure.changes.length === 0
        ? 'it was not run, because its folder is not trusted'
        : `it was not run, because its files changed since they were trusted: ${inWords(failure.changes)}`;
    case 'exited':
      return `it ended with exit code ${failure.code}${failure.text === '' ? ' and no message' : `: ${cut(failure.text, WORDS_CHARS_SHOWN)}`}`;
    case 'killed':
      return `it was terminated by ${failure.signal}`;
    case 'not_started':
      return `it could not be started: ${failure.message}`;
    case 'printed_too_much':
      return `it printed more than ${failure.bytesMax.toLocaleString('en')} bytes and was terminated`;
    case 'nonsense':
      return `its output is not a valid response: ${failure.problem}`;
  }
}

const inWords = (changes: readonly FileChange[]) =>
  changes.map(({ path, how }) => `${path} was ${how}`).join(', ');

/** Why a hook that failed stands in the way. */
export function describeRefusal(hook: HookRef, failure: HookFailure): string {
  const setUp = `It is configured in ${hook.file} (${hook.path}).`;
  if (failure.how === 'cancelled') return `${nameOf(hook)} was cancelled before it responded.`;
  if (failure.how === 'not_trusted') {
    return `${nameOf(hook)} blocks this: ${describeFailure(failure)}. The calls that it guards are refused until you review the folder with "countersign trust". ${setUp}`;
  }
  return `${nameOf(hook)} failed, and the calls that it guards are refused until it works: ${describeFailure(failure)}. ${setUp}`;
}

/** `Hook "scan"`, by its command where it has no name. */
export const nameOf = (hook: HookRef): string => `Hook "${shortNameOf(hook)}"`;

export const shortNameOf = ({ name, command }: HookRef): string => name ?? cut(command, COMMAND_CHARS_SHOWN);

const COMMAND_CHARS_SHOWN = 80;
const WORDS_CHARS_SHOWN = 2_000; // enough for a stack trace; all of it is in the log of the run

export const cut = (text: string, chars: number) => (text.length > chars ? `${text.slice(0, chars)}…` : text);
