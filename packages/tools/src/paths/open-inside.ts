import { closeSync, constants, existsSync, lstatSync, mkdirSync, openSync, realpathSync } from 'node:fs';
import { ToolFailure } from '@countersign/engine';
import { errnoOf } from '../file-failure.js';
import { componentsOf } from './components.js';

/** A directory that stays the same one while we work in it, whatever is done to the path that led there. */
export type HeldDirectory = {
  /** A path to `name` in exactly this directory. `.` is the directory itself. */
  readonly at: (name: string) => string;
  /** Throws `stale_file` if another directory took its place. Nothing to do where it is held by a descriptor. */
  readonly assertInPlace: () => void;
};

type Holding = HeldDirectory & { readonly release: () => void };

/**
 * Does `work` in the directory of this real path. The path was judged when the
 * call was planned and has no symlinks, so that one found on the way was put
 * there since: `stale_file`.
 *
 * The walk is synchronous: it opens directories that were looked up a moment
 * ago, which costs microseconds, where a queued call per name would cost more
 * than reading the file.
 */
export async function insideDirectory<T>(
  realPath: string,
  missing: 'fail' | 'create',
  work: (directory: HeldDirectory) => Promise<T>,
): Promise<T> {
  const directory = canHoldByDescriptor()
    ? holdByDescriptor(realPath, missing)
    : holdByChecking(realPath, missing);
  try {
    directory.assertInPlace();
    const result = await work(directory);
    directory.assertInPlace();
    return result;
  } finally {
    directory.release();
  }
}

// Linux's O_PATH, which Node does not name: going through a directory needs no permission to list it.
const O_PATH = 0o10000000;

let procWorks: boolean | null = null;
function canHoldByDescriptor(): boolean {
  procWorks ??= process.platform === 'linux' && existsSync('/proc/self/fd');
  return procWorks;
}

function holdByDescriptor(realPath: string, missing: 'fail' | 'create'): Holding {
  let held = openSync('/', O_PATH | constants.O_DIRECTORY);
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
  return {
    at: (name) => `/proc/self/fd/${held}/${name}`,
    assertInPlace: () => {},
    release: () => closeSync(held),
  };
}

function openNext(path: string, reached: string, missing: 'fail' | 'create'): number {
  try {
    return openSync(path, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW);
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
    // Somebody else made it at the same moment: as good as ours, and checked like any other when it is opened.
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
