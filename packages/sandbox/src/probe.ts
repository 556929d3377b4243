import { existsSync } from 'node:fs';
import { forgetPassed, keepPassed, recallPassed } from './remembered.js';
import type { NoSandbox, Probe } from './sandbox.js';
import type { Leak, Trial } from './self-test.js';

const probed = new Map<string | null, Promise<Probe>>();
const keptIn = new Set<string>();

/**
 * Whether commands can be confined here, by this bubblewrap or the system's: tried, not assumed. Once per process, or,
 * with a directory of this user to remember it in, once until the machine is started again.
 */
export function probeSandbox(
  program: string | null = null,
  rememberIn: string | null = null,
): Promise<Probe> {
  const known = probed.get(program);
  if (known !== undefined) return known;
  const place = program === null ? findBubblewrap() : existsSync(program) ? program : null;
  const found = place === null || rememberIn === null ? probe(place) : remembered(place, rememberIn);
  probed.set(program, found);
  return found;
}

/**
 * A sandbox could not be set up, so the next process is to try it again. This one keeps to what it knows: else a command
 * that keeps sandboxes from being set up would see to it that those after it run without.
 */
export function doubtSandbox(): void {
  for (const directory of keptIn) forgetPassed(directory);
}

async function remembered(program: string, directory: string): Promise<Probe> {
  keptIn.add(directory);
  const passed = recallPassed(program, directory);
  if (passed) return passed;
  const found = await probe(program);
  if (found.available) keepPassed(found, directory);
  return found;
}

/** Not from PATH: a workspace may have put a directory of its own there, with a bwrap that confines nothing. */
const PLACES = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap', '/run/current-system/sw/bin/bwrap'];

/** The system's bubblewrap, whether it works or not; null where none is installed. */
export const findBubblewrap = (): string | null => PLACES.find((path) => existsSync(path)) ?? null;

export async function probe(program: string | null): Promise<Probe> {
  if (process.platform !== 'linux') return NOT_LINUX;
  if (program === null) return NOT_INSTALLED;
  const trial = await tried(program);
  if (trial.type === 'failed') return notStarted(trial.message);
  const { version } = trial;
  if (version === null) return unusable(`${program} does not print its version.`);
  return trial.type === 'held'
    ? { available: true, version, program }
    : unusable(`Bubblewrap ${version} runs, but ${LEAKS[trial.leak]}.`);
}

/** The code for the trial is loaded when the first command runs. */
async function tried(program: string): Promise<Trial> {
  try {
    const { tryToEscape } = await import('./self-test.js');
    return await tryToEscape(program);
  } catch (error) {
    // Without a temporary directory, for instance.
    return { type: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}

const NOT_LINUX: NoSandbox = {
  available: false,
  why: 'The sandbox is available on Linux only.',
  fix: 'Work in a Linux container or virtual machine, or switch the sandbox off.',
};

const NOT_INSTALLED: NoSandbox = {
  available: false,
  why: 'Bubblewrap (bwrap) is not installed.',
  fix: 'Install the package "bubblewrap", for instance with: apt install bubblewrap',
};

const LEAKS: { readonly [L in Leak]: string } = {
  write: 'a file outside the workspace could be written',
  remount: 'a read-only directory could be made writable',
  secret: 'a hidden file could be read',
  network: 'the network could be reached',
  kernel: 'settings of the kernel could be changed',
  device: 'devices of the machine could be changed',
  hidden: 'a hidden file could be changed',
};

const unusable = (why: string): NoSandbox => ({
  available: false,
  why,
  fix: 'Update the package "bubblewrap", or switch the sandbox off.',
});

function notStarted(message: string): NoSandbox {
  const why = `Bubblewrap cannot start here: ${message || 'it gave no reason'}`;
  const fix = /namespace|uid map|gid map|RTM_|loopback|clone/i.test(message)
    ? 'Allow user namespaces for bwrap: on Ubuntu with an AppArmor profile for it, on Debian with sysctl kernel.unprivileged_userns_clone=1, in a container by starting it with --security-opt seccomp=unconfined; or switch the sandbox off.'
    : /mount|pivot_root|proc/i.test(message)
      ? 'Allow mounts: in a container, start it with --security-opt systempaths=unconfined --security-opt apparmor=unconfined; or switch the sandbox off.'
      : /No device can be made/.test(message)
        ? 'Run as an ordinary user, or as root with the capability MKNOD; or switch the sandbox off.'
        : 'Try it manually with: bwrap --unshare-all --ro-bind / / --proc /proc --dev /dev true; or switch the sandbox off.';
  return { available: false, why, fix };
}
