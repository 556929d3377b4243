import { type Need, needInWords } from '../reach/need.js';
import type { Entries } from './entry.js';

/** What can go wrong with a command line that a call runs. */
export type CommandFailure =
  /** `signal` is the one that ended it, where that is certain. */
  | { readonly code: 'command_failed'; readonly exitCode: number; readonly signal: string | null }
  | { readonly code: 'fell_silent'; readonly afterMs: number }
  | {
      readonly code: 'output_too_large';
      readonly path: string;
      readonly bytes: number;
      readonly bytesMax: number;
    }
  | { readonly code: 'command_lost'; readonly evidence: string }
  | { readonly code: 'sandbox_denied'; readonly need: Need; readonly exitCode: number }
  | { readonly code: 'sandbox_unavailable'; readonly why: string; readonly fix: string }
  | { readonly code: 'unknown_process'; readonly pid: number; readonly known: readonly number[] };

export const COMMAND_FAILURES: Entries<CommandFailure> = {
  command_failed: {
    audience: 'model',
    when: 'A command ended with an exit code other than 0, or by a signal.',
    message: ({ exitCode, signal }) =>
      signal === null
        ? `The command ended with exit code ${exitCode}.`
        : `The command was terminated by ${signal} (exit code ${exitCode}).`,
    hint: () => 'See its output for the reason. Its effects up to that point remain.',
  },
  fell_silent: {
    audience: 'model',
    when: 'A command printed nothing for longer than its idle limit.',
    message: ({ afterMs }) => `Stopped, because it printed nothing for ${afterMs} ms.`,
    hint: () =>
      'If it waited for input, pass the input as an argument. If it needs more time, make it print progress, or run it with is_background.',
  },
  output_too_large: {
    audience: 'model',
    when: 'A command printed more than the limit.',
    message: ({ path, bytes, bytesMax }) =>
      `Stopped, because it printed ${bytes} bytes; the limit is ${bytesMax}. They are in ${path}.`,
    hint: () => 'Make it print less, for example with a filter, or redirect its output to a file.',
  },
  command_lost: {
    audience: 'model',
    when: 'The result of a command is not known.',
    message: ({ evidence }) =>
      `The result of the command is not known: ${evidence}. It may or may not have taken effect.`,
    hint: () => 'Check the current state before running it again; it is not repeated automatically.',
  },
  sandbox_denied: {
    audience: 'model',
    when: 'The sandbox blocked a command, and no user was attached to approve the access.',
    message: ({ need, exitCode }) =>
      `The command ended with exit code ${exitCode}: the sandbox blocked ${needInWords(need)}.`,
    hint: () => 'Continue without it, or ask the user to run it with that permission.',
  },
  sandbox_unavailable: {
    audience: 'person',
    when: 'Commands must run in the sandbox, and this machine cannot provide one.',
    message: ({ why }) =>
      `Nothing was run: commands must run in the sandbox, and that is not possible here. ${why}`,
    hint: ({ fix }) => fix,
  },
  unknown_process: {
    audience: 'model',
    when: 'A process id is not that of a background process of the session.',
    message: ({ pid, known }) =>
      `This session has no background process ${pid}. ${known.length === 0 ? 'It has started none.' : `It has started: ${known.join(', ')}.`}`,
    hint: () => 'List them with list_background_processes.',
  },
};
