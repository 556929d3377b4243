import type { Journal } from '@countersign/engine';
import { openJournal } from '../compose/compose.js';
import { EndingBySignal } from '../compose/ending-by-signal.js';
import { EXIT, type ExitCode } from '../io/exit-codes.js';
import { untilInterrupted } from '../io/interruption.js';
import { type Io, say } from '../io/io.js';
import { VERSION } from '../io/version.js';
import { chosenWorkspace } from '../options/places.js';
import { openGoverned } from './open-governed.js';
import { type McpServeOptions, readMcpServeOptions } from './serve-options.js';

/** `countersign mcp serve`: serves our tools to other agents, under the user's policy. */
export async function serve(args: readonly string[], io: Io): Promise<ExitCode> {
  const options = readMcpServeOptions(args, io);
  // Reported now, since the first client may not show the failure to the user.
  if (options.resume === undefined) await chosenWorkspace(options.workspace);
  const journal = await openJournal(options.store, io.env);
  const { transport } = options;
  const work = async (signal: AbortSignal) => {
    if (transport.type === 'stdio') await overStdio(options, journal, io, signal);
    else {
      const { serveOverHttp } = await import('./serve-http.js');
      await serveOverHttp(options, transport.port, journal, io, signal);
    }
  };
  const ending = new EndingBySignal({ journal, store: options.store }, io);
  try {
    await untilInterrupted(io, work, (signal) => ending.begin(signal));
    await ending.print();
    return ending.signal === null ? EXIT.ok : EXIT.interrupted;
  } finally {
    await journal.close();
    // Unread input must not keep the program alive.
    io.stdin.destroy();
  }
}

/** Standard output carries nothing but the protocol. */
async function overStdio(
  options: McpServeOptions,
  journal: Journal,
  io: Io,
  signal: AbortSignal,
): Promise<void> {
  if (io.stdin.isTTY)
    say(io, 'countersign: this command communicates with another program; see countersign help mcp.');
  const { serveOverStdio } = await import('@countersign/mcp');
  const { stdin, stdout } = io;
  await serveOverStdio({
    open: () => openGoverned(options, journal, io),
    stdin,
    stdout,
    version: VERSION,
    onTrouble: (text) => void say(io, `countersign: ${text}`),
    signal,
  });
}
