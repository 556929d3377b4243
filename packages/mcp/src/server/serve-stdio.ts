import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { governedServer } from './governed-server.js';
import { type GovernedSession, LazySession } from './governed-session.js';

export type StdioOptions = {
  readonly open: () => Promise<GovernedSession>;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly version: string;
  readonly onTrouble: (text: string) => void;
  /** Ends it. */
  readonly signal: AbortSignal;
};

/** One client over stdin and stdout, until it closes its end; then the session is left. Throws if it cannot be opened. */
export async function serveOverStdio(options: StdioOptions): Promise<void> {
  const { stdin, stdout, version, onTrouble, signal } = options;
  const over = new AbortController();
  const troubles: Error[] = [];
  const session = new LazySession(async () => {
    try {
      return await options.open();
    } catch (thrown) {
      troubles.push(thrown instanceof Error ? thrown : new Error(String(thrown)));
      over.abort();
      throw thrown;
    }
  });
  const handle = serveStdio(() => governedServer(session.get, version), {
    transport: new StdioServerTransport(stdin, stdout),
    onerror: ({ message }) => onTrouble(message),
  });
  const end = () => over.abort();
  stdin.once('end', end);
  stdin.once('close', end);
  signal.addEventListener('abort', end);
  if (!signal.aborted && !over.signal.aborted) await once(over.signal, 'abort');
  signal.removeEventListener('abort', end);
  await handle.close();
  await session.leave();
  const [trouble] = troubles;
  if (trouble) throw trouble;
}
