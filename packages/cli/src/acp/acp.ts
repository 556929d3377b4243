import { Readable, Writable } from 'node:stream';
import { ndJsonStream } from '@agentclientprotocol/sdk';
import { type Host, serveEditor } from '@countersign/acp';
import { openJournal } from '../compose/compose.js';
import { EndingBySignal } from '../compose/ending-by-signal.js';
import { EXIT, type ExitCode } from '../io/exit-codes.js';
import { untilInterrupted } from '../io/interruption.js';
import { type Io, say } from '../io/io.js';
import { readAcpOptions } from './acp-options.js';
import { editorHost } from './editor-host.js';

/** `countersign acp`: an agent for editors that support the Agent Client Protocol. Standard output carries nothing else. */
export async function acp(args: readonly string[], io: Io): Promise<ExitCode> {
  const options = readAcpOptions(args);
  const journal = await openJournal(options.store, io.env);
  if (io.stdin.isTTY)
    say(io, 'countersign: this command communicates with an editor; see countersign help acp.');
  try {
    const stream = ndJsonStream(Writable.toWeb(io.stdout), Readable.toWeb(io.stdin));
    const ending = new EndingBySignal({ journal, store: options.store }, io);
    const host = editorHost(options, journal, io);
    const leaving = new AbortController();
    const open: Host['open'] = async (request) => {
      const opened = await host.open(request);
      if (opened.ok) leaving.signal.addEventListener('abort', opened.live.prepareToLeave);
      return opened;
    };
    const work = (signal: AbortSignal) => serveEditor({ ...host, open }, stream, signal);
    await untilInterrupted(io, work, (signal) => {
      leaving.abort();
      return ending.begin(signal);
    });
    await ending.print();
    return ending.signal === null ? EXIT.ok : EXIT.interrupted;
  } finally {
    await journal.close();
    // Unread input must not keep the program alive.
    io.stdin.destroy();
  }
}
