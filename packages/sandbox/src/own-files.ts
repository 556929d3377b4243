import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/**
 * What a sandbox shows in the place of something else. All of it is ours, so that a command which changes its mode,
 * owner or times changes nothing of the machine's.
 */
export type OwnFiles = {
  /** Stands for every hidden file. */
  readonly empty: string;
  /** Stand for the machine's devices, where the command would be their owner; else none. */
  readonly devices: readonly OwnDevice[];
};
export type OwnDevice = { readonly name: string; readonly path: string };

/** Those that bubblewrap puts into /dev, by mounting the machine's own there, writable. */
const DEVICES = ['null', 'zero', 'full', 'random', 'urandom', 'tty'];

/** Makes them in a directory of ours, or makes sure that they are as they should be. Throws if it cannot. */
export function ownFilesIn(directory: string): OwnFiles {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const empty = join(directory, 'empty');
  if (lstatSync(empty, { throwIfNoEntry: false }) === undefined)
    writeFileSync(empty, '', { mode: 0o444, flag: 'a' });
  // Root, that is: read-only mounts of devices are beyond bubblewrap, and capabilities do not matter to an owner.
  const isOwner = process.geteuid !== undefined && statSync('/dev/null').uid === process.geteuid();
  return { empty, devices: isOwner ? DEVICES.map((name) => deviceIn(directory, name)) : [] };
}

/** What commands read that are given no input. */
export const emptyInput = ({ devices }: OwnFiles): string =>
  devices.find(({ name }) => name === 'null')?.path ?? '/dev/null';

function deviceIn(directory: string, name: string): OwnDevice {
  const path = join(directory, name);
  const machines = statSync(join('/dev', name));
  if (!isDevice(path, machines.rdev)) makeDevice(path, machines.rdev);
  // An earlier command may have changed it.
  chmodSync(path, 0o666);
  chownSync(path, machines.uid, machines.gid);
  return { name, path };
}

function isDevice(path: string, rdev: number): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isCharacterDevice() === true && found.rdev === rdev;
}

function makeDevice(path: string, rdev: number): void {
  rmSync(path, { force: true });
  // As Linux writes both numbers into one, as far as these devices have them.
  const [major, minor] = [rdev >> 8, rdev & 0xff];
  try {
    execFileSync('mknod', [path, 'c', String(major), String(minor)], {
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
      stdio: 'pipe',
    });
    // Where devices are switched off, a node can be made but not opened.
    if (path.endsWith('/null')) closeSync(openSync(path, 'r'));
  } catch (error) {
    rmSync(path, { force: true });
    throw new Error(`The device ${path} cannot be created: ${lastLineOf(error)}`);
  }
}

const lastLineOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).trim().split('\n').at(-1) ?? '';
