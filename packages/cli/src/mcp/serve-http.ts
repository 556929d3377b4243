import { once } from 'node:events';
import { join } from 'node:path';
import type { Journal } from '@countersign/engine';
import { HttpSessions } from '@countersign/mcp';
import { listenGuarded } from '@countersign/server';
import { usage } from '../io/failure-text.js';
import { type Io, say } from '../io/io.js';
import { VERSION } from '../io/version.js';
import { configDirectory } from '../options/places.js';
import { openTokens, TOKENS_FILE } from '../serve/open-tokens.js';
import { openGoverned } from './open-governed.js';
import type { McpServeOptions } from './serve-options.js';

const PATH = '/mcp';

/** Any number of clients over streamable HTTP on this machine, each with a token and a session of its own. */
export async function serveOverHttp(
  options: McpServeOptions,
  port: number,
  journal: Journal,
  io: Io,
  signal: AbortSignal,
): Promise<void> {
  const onTrouble = (text: string) => void say(io, `countersign: ${text}`);
  const tokensPath = join(configDirectory(io.env), TOKENS_FILE);
  const tokens = await openTokens(tokensPath, io);
  const sessions = new HttpSessions({
    version: VERSION,
    open: () => openGoverned(options, journal, io),
  });
  const binding = { address: '127.0.0.1', port, names: [], tls: null, exposure: 'this machine' } as const;
  const door = await listenGuarded({
    binding,
    tokens,
    onRevoked: (who) => void sessions.endOf(who).catch((thrown: unknown) => onTrouble(String(thrown))),
    onTrouble,
    handle: async (request, who) =>
      new URL(request.url).pathname === PATH
        ? sessions.handle(request, who)
        : new Response('Only /mcp is served here.\n', { status: 404 }),
  }).catch(async (thrown: unknown) => {
    // Its timer for idle clients would keep the program alive.
    await sessions.close();
    if (!(thrown instanceof Error) || !('code' in thrown)) throw thrown;
    throw usage(`The server cannot start: ${thrown.message}`, '--port 0 for any free port');
  });
  say(io, `Programs sign in with a token from ${tokensPath}, as "Authorization: Bearer TOKEN".`);
  // Alone on stdout, so that a program that starts the server can read it.
  io.stdout.write(`${door.url}${PATH}\n`);
  if (!signal.aborted) await once(signal, 'abort');
  await sessions.close();
  await door.close();
}
