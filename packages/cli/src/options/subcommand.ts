import type { ExitCode } from '../io/exit-codes.js';
import { usage } from '../io/failure-text.js';
import type { Io } from '../io/io.js';

export type Command = (args: readonly string[], io: Io) => Promise<ExitCode>;

/** Runs the subcommand that the first argument names. */
export async function runSubcommand(
  command: string,
  subcommands: { readonly [name: string]: Command },
  [name, ...rest]: readonly string[],
  io: Io,
): Promise<ExitCode> {
  const run = name !== undefined && Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
  if (run) return run(rest, io);
  throw usage(
    name ? `${command} has no "${name}"` : `${command} needs a subcommand`,
    `countersign ${command} ${Object.keys(subcommands).join(' | ')}`,
  );
}
