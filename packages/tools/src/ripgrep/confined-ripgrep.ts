import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { ONLY_A_DIRECTORY } from '@countersign/host';
import { findBubblewrap, probeSandbox } from '@countersign/sandbox';
import { findRipgrep, isChosen } from './find-ripgrep.js';

/** A ripgrep, and how it is confined to the tree that it searches. */
export type Ripgrep = {
  readonly program: string;
  /** Where the searched tree is the only one there is; null: it could follow a link that takes a directory's place. */
  readonly confinement: Confinement | null;
};

type Confinement = {
  readonly bubblewrap: string;
  /** Programs that are linked to shared libraries, or are scripts, need those of the system. */
  readonly system: readonly string[];
};

/**
 * The ripgrep to search with; null to search ourselves.
 *
 * ripgrep goes by paths. While it does, a confined command could put a link to what it cannot see itself in the place of
 * a directory, and get to know the file behind it from the result, its number of matches, or from there being none. So
 * ripgrep runs where there is nothing behind such a link. Where that fails although commands can be confined, we search
 * ourselves; where commands cannot be confined, this would prevent nothing. A program that the user chose is used.
 */
export async function confinedRipgrep(
  workspace: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Ripgrep | null> {
  const program = await findRipgrep(workspace, environment);
  if (program === null) return null;
  const confinement = await confinementOf(program);
  if (confinement === null && !isChosen(environment) && (await probeSandbox()).available) return null;
  return { program, confinement };
}

/** Starts it in a directory. Its output and its complaints are pipes. */
export function startRipgrep(ripgrep: Ripgrep, directory: string, args: readonly string[]): ChildProcess {
  const { program, confinement } = ripgrep;
  if (confinement === null)
    return spawn(program, args, { cwd: directory, env: {}, stdio: ['ignore', 'pipe', 'pipe'] });
  const tree = openSync(directory, ONLY_A_DIRECTORY);
  try {
    const argv = [...viewOf(program, confinement), '--', INSIDE, ...args];
    return spawn(confinement.bubblewrap, argv, {
      cwd: '/',
      env: {},
      stdio: ['ignore', 'pipe', 'pipe', tree],
    });
  } finally {
    closeSync(tree);
  }
}

const viewOf = (program: string, { system }: Confinement): string[] => [
  '--die-with-parent',
  ...system.flatMap((path) => ['--ro-bind-try', path, path]),
  ...['--ro-bind', program, INSIDE],
  // By descriptor, the one after the standard ones: bubblewrap compares what it mounted with what we hold.
  ...['--ro-bind-fd', '3', TREE, '--chdir', TREE],
];

const INSIDE = '/ripgrep';
const TREE = '/tree';

/** Seen by every confined command: nothing there is worth a detour. */
const SYSTEM = ['/usr', '/bin', '/lib', '/lib32', '/lib64', '/nix/store', '/gnu/store'];

const tried = new Map<string, Promise<Confinement | null>>();

/** Tried once for each program and user: what works is kept to, even if it stops working later. */
function confinementOf(program: string): Promise<Confinement | null> {
  const key = `${process.geteuid?.()} ${program}`;
  const known = tried.get(key) ?? firstThatWorks(program);
  tried.set(key, known);
  return known;
}

async function firstThatWorks(program: string): Promise<Confinement | null> {
  const bubblewrap = process.platform === 'linux' ? findBubblewrap() : null;
  if (bubblewrap === null) return null;
  for (const system of [[], SYSTEM])
    if (await runs({ program, confinement: { bubblewrap, system } })) return { bubblewrap, system };
  return null;
}

const TRIAL_MS_MAX = 5_000; // it takes ten; as long as the trial of the sandbox may take

function runs(ripgrep: Ripgrep): Promise<boolean> {
  return new Promise((resolve) => {
    let printed = '';
    try {
      const child = startRipgrep(ripgrep, dirname(ripgrep.program), ['--version']);
      const timer = setTimeout(() => child.kill('SIGKILL'), TRIAL_MS_MAX);
      const end = (works: boolean) => {
        clearTimeout(timer);
        resolve(works);
      };
      child.stdout?.on('data', (text: Buffer) => {
        printed += text.toString('utf8');
      });
      child.stderr?.resume();
      child.on('error', () => end(false));
      child.on('close', (code) => end(code === 0 && printed.startsWith('ripgrep ')));
    } catch {
      resolve(false); // there is no such directory: starting it unconfined reports what is wrong
    }
  });
}
