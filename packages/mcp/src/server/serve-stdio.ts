import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { governedServer } from './governed-server.js';
import type { GovernedSession } from './governed-session.js';

export type StdioWish = {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly version: string;
  readonly onTrouble: (text: string) => void;
  /** Somebody wants it to end. */
  readonly signal: AbortSignal;
};

/** One client over stdin and stdout, until it closes its end; then the session is left. */
export async function serveOverStdio(governed: GovernedSession, wish: StdioWish): Promise<void> {
  const { stdin, stdout, version, onTrouble, signal } = wish;
  const handle = serveStdio(() => governedServer(Promise.resolve(governed), version), {
    transport: new StdioServerTransport(stdin, stdout),
    onerror: ({ message }) => onTrouble(message),
  });
  const over = new AbortController();
  const { signal: isOver } = over;
  const ends = [once(stdin, 'end', { signal: isOver }), once(stdin, 'close', { signal: isOver })];
  const told = once(signal, 'abort', { signal: isOver });
  if (!signal.aborted) await Promise.race([...ends, told]);
  over.abort();
  await Promise.allSettled([...ends, told]);
  await handle.close();
  await governed.leave();
}
