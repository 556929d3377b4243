import { once } from 'node:events';
import { existsSync, realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  ExposedError,
  isLoopback,
  type ResumedSessions,
  type RunningServer,
  type ServerPorts,
  startServer,
  type TokenFile,
} from '@countersign/server';
import { openJournal } from '../compose/compose.js';
import { EndingBySignal } from '../compose/ending-by-signal.js';
import { notePort } from '../compose/own-ports.js';
import { EXIT, type ExitCode } from '../io/exit-codes.js';
import { messageOf, usage } from '../io/failure-text.js';
import { untilInterrupted } from '../io/interruption.js';
import { type Io, say } from '../io/io.js';
import { chosenWorkspace, configDirectory } from '../options/places.js';
import { expectOwnStore } from '../options/settle-environment.js';
import { browserRecords, browsers, link, signOut } from './browsers.js';
import { openTokens, TOKENS_FILE } from './open-tokens.js';
import { readServeOptions, type ServeOptions } from './serve-options.js';
import { serverId } from './server-id.js';
import { serverPorts } from './server-ports.js';

/** `countersign serve`, and the commands for a running server. */
export async function serve(args: readonly string[], io: Io): Promise<ExitCode> {
  const [verb, ...rest] = args;
  switch (verb) {
    case 'link':
      return link(rest, io);
    case 'browsers':
      return browsers(rest, io);
    case 'sign-out':
      return signOut(rest, io);
    default:
      return serveUntilEnded(args, io);
  }
}

/** Serves the HTTP interface and the page until it is interrupted. */
async function serveUntilEnded(args: readonly string[], io: Io): Promise<ExitCode> {
  const options = readServeOptions(args, io);
  const workspaces = await Promise.all(options.workspaces.map(chosenWorkspace));
  for (const workspace of workspaces) expectOwnStore(workspace, options.store, io.env);
  const tokensPath = join(configDirectory(io.env), TOKENS_FILE);
  const tokens = await openTokens(tokensPath, io);
  const journal = await openJournal(options.store, io.env);
  try {
    const server = await start(
      options,
      tokens,
      serverPorts(options, workspaces, { journal, serverId: await serverId(io.env) }, io),
      io,
    );
    const forgetPort = notePort(Number(new URL(server.url).port), io.env);
    const [owner] = await tokens.tokens();
    const pair = () => announce(server, owner?.name ?? '', io);
    say(
      io,
      `Countersign serves ${workspaces.join(', ')} at ${server.url}\nPrograms sign in with a token from ${tokensPath}`,
    );
    if (options.tls === null && !isLoopback(options.address))
      say(
        io,
        'Warning: without TLS, others on this network can read the traffic, tokens and links included.',
      );
    pair();
    void server.resumed.then((result) => sayResumed(result, io));
    const offEnter = onEnter(io, pair);
    const ending = new EndingBySignal({ journal, store: options.store }, io);
    await untilInterrupted(io, aborted, (signal) => {
      server.prepareToClose();
      return ending.begin(signal);
    });
    offEnter();
    say(io, ending.isStoreKnown ? 'Stopping. Pending approvals stay in the store.' : 'Stopping.');
    await server.close();
    await ending.print();
    forgetPort();
    return ending.isStoreKnown ? EXIT.ok : EXIT.setup;
  } finally {
    await journal.close();
  }
}

function sayResumed({ resumed, left }: ResumedSessions, io: Io): void {
  const sessions = (count: number) => (count === 1 ? '1 session' : `${count} sessions`);
  if (resumed.length > 0)
    say(io, `Resumed ${sessions(resumed.length)} that an earlier run left open: ${resumed.join(', ')}`);
  if (left > 0)
    say(
      io,
      `${sessions(left)} more were left open. To list and resume them: countersign sessions list --all`,
    );
}

function announce(server: RunningServer, name: string, io: Io): void {
  const { url } = server.pair(name);
  say(io, 'Open this link to sign in. It works once, within ten minutes; press Enter for another one.');
  // Alone on stdout, so that a program that starts the server can read it.
  io.stdout.write(`${url}\n`);
}

async function start(
  options: ServeOptions,
  tokens: TokenFile,
  ports: ServerPorts,
  io: Io,
): Promise<RunningServer> {
  const { address, port, portIs, hostNames, tls, exposure, page } = options;
  const secured = tls && {
    cert: await readGiven('--tls-cert', tls.cert),
    key: await readGiven('--tls-key', tls.key),
  };
  const binding = { address, port, names: hostNames, tls: secured, exposure };
  try {
    return await startServer({
      ports,
      tokens,
      browsers: browserRecords(io),
      binding,
      page: page ?? builtPage(),
    });
  } catch (thrown) {
    if (thrown instanceof ExposedError)
      throw usage(
        `At ${address} others on the network could reach this server and read its traffic`,
        '--tls-cert FILE --tls-key FILE, or --expose-without-tls if the network is trusted',
      );
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'EADDRINUSE') {
      if (portIs === 'usual') {
        say(
          io,
          `Port ${port} is in use, perhaps by another \`countersign serve\`: using any free port instead.`,
        );
        return start({ ...options, port: 0, portIs: 'wanted' }, tokens, ports, io);
      }
      throw usage(
        `Port ${port} is in use, perhaps by another \`countersign serve\``,
        '--port 0 for any free port',
      );
    }
    if (thrown instanceof Error && 'code' in thrown)
      throw usage(`The server cannot start: ${thrown.message}`, 'countersign help serve');
    throw thrown;
  }
}

async function readGiven(option: string, path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (thrown) {
    throw usage(`${path} cannot be read: ${messageOf(thrown)}`, `${option} FILE`);
  }
}

/** The built page beside the program; null if it was not built. */
function builtPage(): string | null {
  // An installed program is started through a symbolic link.
  const directory = join(dirname(realpathSync(process.argv[1] ?? '')), '../dist/page');
  return existsSync(join(directory, 'index.html')) ? directory : null;
}

function onEnter(io: Io, pressed: () => void): () => void {
  if (io.stdin.isTTY !== true) return () => {};
  io.stdin.on('data', pressed);
  return () => {
    io.stdin.off('data', pressed);
    io.stdin.destroy();
  };
}

const aborted = (signal: AbortSignal) => once(signal, 'abort');
