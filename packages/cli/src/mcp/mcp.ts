import type { ExitCode } from '../io/exit-codes.js';
import type { Io } from '../io/io.js';
import { runSubcommand } from '../options/subcommand.js';

/** `countersign mcp list | serve`: the configured MCP servers, and this program as one. Each is loaded when it runs. */
export const mcp = (args: readonly string[], io: Io): Promise<ExitCode> =>
  runSubcommand(
    'mcp',
    {
      list: async (...given) => (await import('./list.js')).list(...given),
      serve: async (...given) => (await import('./serve.js')).serve(...given),
    },
    args,
    io,
  );
