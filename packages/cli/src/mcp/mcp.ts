import type { ExitCode } from '../io/exit-codes.js';
import { usage } from '../io/failure-text.js';
import type { Io } from '../io/io.js';

/** `countersign mcp list | serve`: servers of others, and our own. */
export async function mcp([verb, ...rest]: readonly string[], io: Io): Promise<ExitCode> {
  if (verb === 'list') return (await import('./list.js')).list(rest, io);
  if (verb === 'serve') return (await import('./serve.js')).serve(rest, io);
  throw usage(verb ? `mcp has no "${verb}"` : 'mcp needs a subcommand', 'countersign mcp list | serve');
}
