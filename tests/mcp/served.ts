import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sqliteJournal } from '@countersign/store-sqlite';
import {
  type CallToolResult,
  Client,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import { type Place, PROGRAM } from '../cli/program.js';

export const CLIENT = { name: 'other-agent', version: '9.1' };

/** The official client, connected; it is closed with the test. */
export async function connected(transport: Transport): Promise<Client> {
  const client = new Client(CLIENT);
  onTestFinished(() => client.close());
  await client.connect(transport);
  return client;
}

/** The official client with our server over stdio, in a session of this id. */
export const overStdio = (place: Place, session: string, ...more: readonly string[]): Promise<Client> =>
  connected(stdioTo(place, '--session', session, ...more));

/** Our server, to be started by a client. */
export const stdioTo = (place: Place, ...args: readonly string[]): StdioClientTransport =>
  new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, 'mcp', 'serve', ...args],
    cwd: place.workspace,
    env: definedIn(place.environment),
    stderr: 'ignore',
  });

/** The address at which our server listens, and the token that it wants. */
export async function listening(
  place: Place,
  ...more: readonly string[]
): Promise<{ readonly url: URL; readonly token: string }> {
  const running = place.start(['mcp', 'serve', '--http', '--port', '0', ...more]);
  const url = new URL(await running.text(/http:\S+(?=\n)/));
  const file: { readonly tokens: readonly { readonly token: string }[] } = JSON.parse(
    readFileSync(join(place.home, 'server-tokens.json'), 'utf8'),
  );
  return { url, token: file.tokens[0]?.token ?? '' };
}

export function overHttp(place: Place, ...more: readonly string[]): Promise<Client> {
  return listening(place, ...more).then(({ url, token }) =>
    connected(
      new StreamableHTTPClientTransport(url, {
        requestInit: { headers: { authorization: `Bearer ${token}` } },
      }),
    ),
  );
}

const definedIn = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

export const wordsIn = ({ content }: Pick<CallToolResult, 'content'>): string =>
  content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');

/** The id of what waits in the store, once something does. */
export async function waitingIn(place: Place): Promise<string> {
  const [first] = await waiting(place, (rows) => rows.length > 0);
  return first ?? '';
}

/** Looks into the store until what waits there is as wanted. */
export async function waiting(
  place: Place,
  isWanted: (ids: readonly string[]) => boolean,
): Promise<readonly string[]> {
  const journal = await sqliteJournal(join(place.home, 'countersign.db'));
  try {
    for (let tries = 0; tries < 1_500; tries++) {
      const ids = (await journal.approvals()).map(({ sessionId, callId }) => `${sessionId}/${callId}`);
      if (isWanted(ids)) return ids;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  } finally {
    await journal.close();
  }
  throw new Error('what waits for an approval is not what was wanted');
}
