import { lstatSync, mkdtempSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { namesIn } from './profile/paths.js';

const PREFIX = 'countersign-self-test-';
/** The process and the namespace in which that is its number; older versions named neither. */
const NAME = new RegExp(`^${PREFIX}(?:(\\d+)-(\\d+)-)?[A-Za-z0-9]{6}$`);
const AGE_MS_MAX = 3_600_000; // a self-test takes seconds

/** A directory for one self-test, named after this process, so that the next one knows whether it is still in use. */
export const makeTrialDirectory = (): string =>
  realpathSync(mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-${namespace()}-`)));

/** Containers may share a temporary directory, and count their processes each from one. */
const namespace = (): string => /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';

/**
 * Removes what self-tests of processes that were killed have left. Only directories of this user whose process has ended,
 * since others may be in the middle of a test. A failure to remove one is left to the next self-test.
 */
export function removeAbandonedTrials(): void {
  const parent = tmpdir();
  for (const name of namesIn(parent)) {
    const path = join(parent, name);
    try {
      if (isAbandoned(name, path)) rmSync(path, { recursive: true, force: true });
    } catch {
      // Another process removed it first, or it cannot be removed.
    }
  }
}

function isAbandoned(name: string, path: string): boolean {
  const found = NAME.exec(name);
  if (found === null) return false;
  const status = lstatSync(path);
  if (!status.isDirectory() || status.uid !== process.geteuid?.()) return false;
  const [, pid, pidNamespace] = found;
  const isGone = pid !== undefined && pidNamespace === namespace() && !isRunning(Number(pid));
  // The id of a process that has ended may belong to another.
  return isGone || Date.now() - status.mtimeMs > AGE_MS_MAX;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Of another user is running, too.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
