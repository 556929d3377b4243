import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, linkSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Records of calls may contain any data of the user: no other user may read them. */
const FILE_MODE = 0o600;
/** Between the name of a file and the process that is creating it. */
const NEW = '.new-';

/**
 * Create a file that is whole from its first moment on: it is filled under another name, and linked into place. A process
 * that dies meanwhile leaves no file of that name. If another process created it first, that one stays.
 */
export function createFile(path: string, fill: (place: string) => void): void {
  removeLeftovers(path);
  const place = `${path}${NEW}${process.pid}-${randomUUID()}`;
  closeSync(openSync(place, 'wx', FILE_MODE));
  try {
    fill(place);
    putInPlace(place, path);
  } finally {
    rmSync(place, { force: true });
  }
}

function putInPlace(place: string, path: string): void {
  try {
    linkSync(place, path);
  } catch (error) {
    if (existsSync(path)) return;
    if (!(error instanceof Error && 'code' in error && NO_LINKS.has(error.code))) throw error;
    renameSync(place, path);
  }
}

/** How file systems without hard links refuse them. */
const NO_LINKS: ReadonlySet<unknown> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** What processes that died while they created this file have left, with the files that SQLite puts beside it. */
function removeLeftovers(path: string): void {
  const prefix = `${basename(path)}${NEW}`;
  for (const name of readdirSync(dirname(path))) {
    const [, pid] = name.startsWith(prefix) ? (/^(\d+)-/.exec(name.slice(prefix.length)) ?? []) : [];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(dirname(path), name), { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
