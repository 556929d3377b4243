import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { commandLine } from './bubblewrap.js';
import { ownFilesIn } from './own-files.js';
import { profileFor } from './profile/profile.js';
import { makeTrialDirectory, removeAbandonedTrials } from './trial-directory.js';

const LEAKS = ['write', 'remount', 'secret', 'network', 'kernel', 'device', 'hidden'] as const;
export type Leak = (typeof LEAKS)[number];

export type Trial =
  | { readonly type: 'held'; readonly version: string | null }
  | { readonly type: 'leaked'; readonly leak: Leak; readonly version: string | null }
  | { readonly type: 'failed'; readonly message: string };

/**
 * Tries what a sandbox must not let happen, in the order of the leaks' names,
 * and prints the name of each that did. Only Bash can connect by itself; for
 * other shells the network namespace must differ, which Bash checks as well.
 * Writing a kernel setting's own value back changes nothing if it succeeds, and
 * of a device of the machine it is only seen whether it is one. Few
 * programs are started, since the first command of a session waits for this.
 */
const SCRIPT = `home=$1 secret=$2 port=$3 net=$4 machine=$5 hidden=$6
(: >"$home/written") 2>/dev/null && echo write
mount -o remount,bind,rw "$home" 2>/dev/null
(: >"$home/written") 2>/dev/null && echo remount
(read -r found <"$secret" && [ -n "$found" ]) 2>/dev/null && echo secret
[ "$(readlink /proc/self/ns/net)" = "$net" ] && echo network
[ -n "$BASH_VERSION" ] && (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && echo network
setting=/proc/sys/vm/swappiness
(read -r value <$setting && echo "$value" >$setting) 2>/dev/null && echo kernel
[ "$(stat -c %d:%i /dev/null 2>/dev/null)" = "$machine" ] && echo device
chmod 600 "$hidden" 2>/dev/null && echo hidden
: >inside && echo tried`;

const TRIAL_MS_MAX = 5_000; // a hundred times what it takes

/** Runs a command confined that does its worst to a home directory made for it. */
export async function tryToEscape(program: string): Promise<Trial> {
  removeAbandonedTrials();
  const base = makeTrialDirectory();
  const [workspace, home] = [join(base, 'workspace'), join(base, 'home')];
  const secret = join(home, '.ssh', 'canary');
  mkdirSync(workspace);
  mkdirSync(join(home, '.ssh'), { recursive: true });
  writeFileSync(secret, 'canary\n');
  const hidden = join(home, '.npmrc');
  writeFileSync(hidden, '');
  const server = await listen();
  try {
    const profile = profileFor({ ...NOTHING_GRANTED, workspace, home });
    const shell = existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh';
    const argv = [
      shell,
      '-c',
      SCRIPT,
      'self-test',
      home,
      secret,
      portOf(server),
      readlinkSync('/proc/self/ns/net'),
      machinesNull(),
      hidden,
    ];
    const own = ownFilesIn(join(base, 'own'));
    const { output, message } = await run(commandLine(program, profile, { argv, directory: workspace, own }));
    const [first = '', ...said] = output.split('\n');
    const version = /^bubblewrap (\S+)$/.exec(first)?.[1] ?? null;
    const leak = LEAKS.find((name) => said.includes(name));
    if (leak !== undefined) return { type: 'leaked', leak, version };
    // Not only what the command says of itself: it must have run, and left no trace.
    if (existsSync(join(home, 'written'))) return { type: 'leaked', leak: 'write', version };
    const hasRun = said.includes('tried') && existsSync(join(workspace, 'inside'));
    return hasRun ? { type: 'held', version } : { type: 'failed', message };
  } finally {
    server.close();
    rmSync(base, { recursive: true, force: true });
  }
}

const NOTHING_GRANTED = {
  ours: [],
  needs: [],
  named: [],
  extraWritable: [],
  extraReadable: [],
  scratch: null,
  isGuarded: () => false,
} as const;

/** Which one is the machine's /dev/null, if a confined command would be its owner; else none. */
function machinesNull(): string {
  const { uid, dev, ino } = statSync('/dev/null');
  return uid === process.geteuid?.() ? `${dev}:${ino}` : 'none';
}

function listen(): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((connection) => connection.destroy());
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}

function portOf(server: Server): string {
  const address = server.address();
  return typeof address === 'object' && address !== null ? String(address.port) : '';
}

/** To start two programs from here would take us twice as long. */
const VERSION_FIRST = `"$0" --version || echo; exec "$0" "$@"`;

/** What it printed, after its version in the first line, and the last that was said about why it could not. */
function run(argv: readonly string[]): Promise<{ readonly output: string; readonly message: string }> {
  const options = {
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
    timeout: TRIAL_MS_MAX,
    killSignal: 'SIGKILL',
  } as const;
  return new Promise((resolve) => {
    execFile('/bin/sh', ['-c', VERSION_FIRST, ...argv], options, (error, stdout, stderr) =>
      resolve({ output: stdout, message: (stderr.trim() || error?.message || '').split('\n').at(-1) ?? '' }),
    );
  });
}
