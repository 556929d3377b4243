import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
} from 'node:fs';
import { ToolFailure } from '@countersign/protocol';
import { once } from '../once.js';
import { componentsOf } from './components.js';
import { errnoOf } from './file-failure.js';

/** A directory that stays the same one while we work in it, whatever is done to the path that led there. */
export type HeldDirectory = {
  /** A path to `name` in exactly this directory. `.` is the directory itself. */
  readonly at: (name: string) => string;
  /** Throws `stale_file` if another directory took its place. Nothing to do where it is held by a descriptor. */
  readonly assertInPlace: () => void;
};

export type Holding = HeldDirectory & { readonly release: () => void };

/**
 * Does `work` in the directory of this real path. The path was judged when the
 * call was planned and has no symlinks, so that one found on the way was put
 * there since: `stale_file`.
 *
 * Opening is synchronous: the directories were looked up a moment ago, which
 * makes it a matter of microseconds, where a queued call would cost more than
 * reading the file.
 */
export async function insideDirectory<T>(
  realPath: string,
  missing: 'fail' | 'create',
  work: (directory: HeldDirectory) => Promise<T>,
): Promise<T> {
  const directory = hold(realPath, missing);
  try {
    directory.assertInPlace();
    const result = await work(directory);
    directory.assertInPlace();
    return result;
  } finally {
    directory.release();
  }
}

/** The same for callers that keep the directory: they release it. */
export const hold = (realPath: string, missing: 'fail' | 'create'): Holding =>
  canHoldByDescriptor()
    ? holdingOf(openAtOnce(realPath) ?? openByWalking(realPath, missing))
    : holdByChecking(realPath, missing);

// Linux's O_PATH, which Node does not name: going through a directory needs no permission to list it.
const O_PATH = 0o10000000;
export const ONLY_A_DIRECTORY = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;

const canHoldByDescriptor = once(() => process.platform === 'linux' && existsSync('/proc/self/fd'));

const holdingOf = (held: number): Holding => ({
  at: (name) => `/proc/self/fd/${held}/${name}`,
  assertInPlace: () => {},
  release: () => closeSync(held),
});

/** The whole path in one step, which may lead through symlinks; null if it did, or led nowhere: then the walk is taken. */
function openAtOnce(realPath: string): number | null {
  let opened: number | null = null;
  try {
    opened = openSync(realPath, ONLY_A_DIRECTORY);
    if (liesAt(opened, realPath)) return opened;
  } catch {
    // The walk meets the same error, and reports where.
  }
  if (opened !== null) closeSync(opened);
  return null;
}

/**
 * Whether what is held lies at this real path, at this moment. The kernel reports where the directory itself is, not how
 * it was reached, so that equal means: no symlink led here, or the directory was moved to where the path says before we
 * asked, which has the same effect. Bytes are compared, since two names that are no text may be spelled as one string.
 */
export const liesAt = (held: number, realPath: string): boolean =>
  readlinkSync(`/proc/self/fd/${held}`, 'buffer').equals(Buffer.from(realPath));

function openByWalking(realPath: string, missing: 'fail' | 'create'): number {
  let held = openSync('/', ONLY_A_DIRECTORY);
  let reached = '';
  for (const name of componentsOf(realPath)) {
    const parent = held;
    reached = `${reached}/${name}`;
    try {
      held = openNext(`/proc/self/fd/${parent}/${name}`, reached, missing);
    } finally {
      closeSync(parent);
    }
  }
  return held;
}

function openNext(path: string, reached: string, missing: 'fail' | 'create'): number {
  try {
    return openSync(path, ONLY_A_DIRECTORY);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ELOOP' || errno === 'ENOTDIR') throw notThatDirectory(path, reached);
    if (errno !== 'ENOENT' || missing === 'fail') throw error;
  }
  makeDirectory(path);
  return openNext(path, reached, 'fail');
}

function notThatDirectory(path: string, reached: string): ToolFailure {
  const isFile = lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  return new ToolFailure({ code: isFile ? 'target_is_not_directory' : 'stale_file', path: reached });
}

function makeDirectory(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process made it at the same moment: as good as ours, and checked like any other when it is opened.
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
}

/** Without descriptors to walk by, the next best: the path still leads to itself before and after the work. */
export function holdByChecking(realPath: string, missing: 'fail' | 'create'): Holding {
  const assertInPlace = (path = realPath) => {
    if (realpathSync.native(path) !== path) throw new ToolFailure({ code: 'stale_file', path: realPath });
  };
  if (missing === 'create') {
    let made = '';
    for (const name of componentsOf(realPath)) {
      made = `${made}/${name}`;
      if (!existsSync(made)) makeDirectory(made);
      assertInPlace(made);
    }
  }
  return { at: (name) => `${realPath}/${name}`, assertInPlace: () => assertInPlace(), release: () => {} };
}
