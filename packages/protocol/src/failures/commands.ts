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
    transient: false,
    when: 'A command ended with an exit code other than 0, or by a signal.',
    message: ({ exitCode, signal }) =>
      signal === null
        ? `The command ended with exit code ${exitCode}.`
        : `The command was ended by ${signal} (exit code ${exitCode}).`,
    hint: () => 'Its output tells why. What it did before that has happened.',
  },
  fell_silent: {
    audience: 'model',
    transient: false,
    when: 'A command printed nothing for longer than its idle limit.',
    message: ({ afterMs }) => `Stopped, since it had printed nothing for ${afterMs} ms.`,
    hint: () =>
      'If it waited for an answer, give it as an argument. If it is to run long, let it print, or run it with is_background.',
  },
  output_too_large: {
    audience: 'model',
    transient: false,
    when: 'A command printed more than is kept.',
    message: ({ path, bytes, bytesMax }) =>
      `Stopped, since it had printed ${bytes} bytes, where ${bytesMax} is the most. They are in ${path}.`,
    hint: () => 'Let it print less, e.g. by a filter, or let it write to a file of its own.',
  },
  command_lost: {
    audience: 'model',
    transient: false,
    when: 'Nobody can tell how a command ended.',
    message: ({ evidence }) =>
      `What became of the command is not known: ${evidence}. It may or may not have taken effect.`,
    hint: () => 'Look at what is there now before running it again; it will not be repeated by itself.',
  },
  sandbox_denied: {
    audience: 'model',
    transient: false,
    when: 'A confined command needed something that the sandbox keeps from it, and nobody could be asked.',
    message: ({ need, exitCode }) =>
      `The command ended with exit code ${exitCode}: the sandbox kept it from ${needInWords(need)}.`,
    hint: () => 'Do without, or ask the person to run it with that permission.',
  },
  sandbox_unavailable: {
    audience: 'person',
    transient: false,
    when: 'Commands are to run confined only, and this machine can not confine them.',
    message: ({ why }) =>
      `Nothing was run: commands must run confined, and that is not possible here. ${why}`,
    hint: ({ fix }) => fix,
  },
  unknown_process: {
    audience: 'model',
    transient: false,
    when: 'A process id is not that of a background process of the session.',
    message: ({ pid, known }) =>
      `This session has no background process ${pid}. ${known.length === 0 ? 'It has started none.' : `It has started: ${known.join(', ')}.`}`,
    hint: () => 'Use list_background_processes to see them.',
  },
};
