import type { ExitCode } from '../io/exit-codes.js';
import type { Io } from '../io/io.js';
import { type Command, runSubcommand } from '../options/subcommand.js';

/** `countersign sessions list | show | resume | fork | export | delete`: past and open sessions. */
export const sessions = (args: readonly string[], io: Io): Promise<ExitCode> =>
  runSubcommand('sessions', SUBCOMMANDS, args, io);

/** Each is loaded when it runs. */
const SUBCOMMANDS: { readonly [name: string]: Command } = {
  list: async (args, io) => (await import('./list.js')).listSessions(args, io),
  show: async (args, io) => (await import('./show.js')).showSession(args, io),
  resume: async (args, io) => (await import('./resume.js')).resumeSession(args, io),
  fork: async (args, io) => (await import('./fork.js')).fork(args, io),
  export: async (args, io) => (await import('./export.js')).exportSession(args, io),
  delete: async (args, io) => (await import('./delete.js')).deleteSessions(args, io),
};
