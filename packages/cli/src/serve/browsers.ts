import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { visibleLine } from '@countersign/display';
import { type BrowserRecord, BrowserRecords, DEFAULT_SERVER_LIMITS } from '@countersign/server';
import { DEFAULT_PORT } from '../compose/own-ports.js';
import { EXIT, type ExitCode } from '../io/exit-codes.js';
import { usage } from '../io/failure-text.js';
import { type Io, printJson, say } from '../io/io.js';
import { expectNoMore, readOptions, readPort } from '../options/options.js';
import { configDirectory } from '../options/places.js';
import { openTokens, TOKENS_FILE } from './open-tokens.js';
import { DEFAULT_ADDRESS } from './serve-options.js';

/** In the configuration directory. */
const BROWSERS_DIRECTORY = 'server-browsers';

/** All servers of a user share these records. */
export const browserRecords = (io: Io): BrowserRecords =>
  new BrowserRecords(join(configDirectory(io.env), BROWSERS_DIRECTORY), Date.now);

/** `countersign serve link`: prints a link that signs a browser in to a running server. */
export async function link(args: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = readOptions('serve', args, {
    port: { type: 'string' },
    url: { type: 'string' },
    name: { type: 'string' },
  });
  expectNoMore('serve', positionals);
  const origin =
    readOrigin(values.url) ?? `http://${DEFAULT_ADDRESS}:${readPort(values.port) ?? DEFAULT_PORT}`;
  const tokensPath = join(configDirectory(io.env), TOKENS_FILE);
  // This command must not create the token file of a server.
  if (!existsSync(tokensPath)) throw usage('No server has been started yet', 'countersign serve');
  const tokens = await (await openTokens(tokensPath, io)).tokens();
  const token = values.name === undefined ? tokens[0] : tokens.find(({ name }) => name === values.name);
  if (!token)
    throw usage(
      `No token is named "${values.name ?? ''}"`,
      `--name ${tokens.map(({ name }) => name).join(' | ')}`,
    );
  const code = await browserRecords(io).links.make(token, DEFAULT_SERVER_LIMITS.pairingMs);
  if (code === null)
    throw usage(
      'Too many links have not been opened yet',
      'one of them, or wait ten minutes until they expire',
    );
  say(io, `Open this link to sign in as ${token.name}. It works once, within ten minutes.`);
  io.stdout.write(`${origin}/#pair=${code}\n`);
  return EXIT.ok;
}

/** `countersign serve browsers`: which browsers are signed in. */
export async function browsers(args: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = readOptions('serve', args, { json: { type: 'boolean' } });
  expectNoMore('serve', positionals);
  const all = browserRecords(io);
  const tokensPath = join(configDirectory(io.env), TOKENS_FILE);
  await all.removeEnded(existsSync(tokensPath) ? await (await openTokens(tokensPath, io)).tokens() : []);
  const records = await all.list();
  if (values.json) for (const record of records) printJson(io, shown(record));
  else if (records.length === 0) say(io, 'No browser is signed in.');
  else for (const record of records) io.stdout.write(`${textOf(record)}\n`);
  return EXIT.ok;
}

/** `countersign serve sign-out`: signs browsers out and closes their connections. */
export async function signOut(args: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = readOptions('serve', args, { all: { type: 'boolean' } });
  const records = browserRecords(io);
  const ids = values.all ? (await records.list()).map(({ id }) => id) : positionals;
  if (!values.all && ids.length === 0)
    throw usage(
      'Which browser should be signed out?',
      'countersign serve sign-out ID, as `countersign serve browsers` shows it, or --all',
    );
  let hasAll = true;
  for (const id of ids) {
    const isRemoved = await records.remove(id);
    hasAll &&= isRemoved;
    say(io, isRemoved ? `Signed out ${id}.` : `No browser ${id} is signed in.`);
  }
  return hasAll ? EXIT.ok : EXIT.notAll;
}

/** Without the hashes of its secrets. */
const shown = ({ id, name, createdAt, seenAt, agent }: BrowserRecord) => ({
  id,
  name,
  createdAt,
  seenAt,
  agent,
});

const textOf = ({ id, name, createdAt, seenAt, agent }: BrowserRecord): string =>
  `${id}  as ${name}, last seen ${timeOf(seenAt)}, signed in ${timeOf(createdAt)}\n  ${visibleLine(agent)}`;

const timeOf = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

function readOrigin(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const url = URL.canParse(given) ? new URL(given) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw usage(`"${given}" is not the address of a server`, '--url http://127.0.0.1:7446');
  return url.origin;
}
