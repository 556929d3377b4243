import type { ExitCode } from '../io/exit-codes.js';
import { usage } from '../io/failure-text.js';
import type { Io } from '../io/io.js';

/** `countersign sessions list | show | resume | fork | export | delete`: what was said and done, and what to do with it. */
export async function sessions(args: readonly string[], io: Io): Promise<ExitCode> {
  const [verb, ...rest] = args;
  const work = verb !== undefined && Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (work) return (await work())(rest, io);
  throw usage(
    verb ? `sessions has no "${verb}"` : 'sessions needs a subcommand',
    `countersign sessions ${Object.keys(VERBS).join(' | ')}`,
  );
}

type Work = (args: readonly string[], io: Io) => Promise<ExitCode>;

/** Each is loaded when it is wanted. */
const VERBS: { readonly [verb: string]: () => Promise<Work> } = {
  list: async () => (await import('./list.js')).listSessions,
  show: async () => (await import('./show.js')).showSession,
  resume: async () => (await import('./resume.js')).resumeSession,
  fork: async () => (await import('./fork.js')).fork,
  export: async () => (await import('./export.js')).exportSession,
  delete: async () => (await import('./delete.js')).deleteSessions,
};
