import {
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  linkSync,
  lstatSync,
  openSync,
  rename as renameWithCallback,
  unlinkSync,
  write as writeWithCallback,
} from 'node:fs';
import { promisify } from 'node:util';
import { ToolFailure } from '@countersign/protocol';
import { errnoOf, writeFailure } from '../paths/file-failure.js';
import type { HeldDirectory } from '../paths/open-inside.js';

export type AtomicWrite = {
  readonly directory: HeldDirectory;
  readonly name: string;
  /** The name that it has until it is complete: see `temporaryName`. */
  readonly temporaryName: string;
  readonly bytes: Uint8Array;
  /** The file to replace, as it was when its content was checked; null if there must be none. */
  readonly present: BigIntStats | null;
  /** How to name the file in a message. */
  readonly shown: string;
  readonly signal: AbortSignal;
};

/**
 * Puts a complete new file in place of the old one, or changes nothing at all.
 * Other hard links of the old file keep its content. Mode and, where the system
 * permits it, owner stay; access lists and extended attributes do not (Node cannot
 * copy them).
 *
 * What may take long, as writing, syncing and letting go of an old content do,
 * leaves others their turn. The rest is done at once: it takes microseconds,
 * where a queued call would take longer than all the work it stands for.
 */
export async function writeAtomically(write: AtomicWrite): Promise<void> {
  const temporary = write.directory.at(write.temporaryName);
  const target = write.directory.at(write.name);
  try {
    if (write.present !== null) assertWritable(target);
    await writeTemporary(temporary, write);
    write.signal.throwIfAborted();
    write.directory.assertInPlace();
    if (write.present === null) await moveToFreeName(temporary, target, write.shown);
    else await moveOver(temporary, target, write.present, write.shown);
  } catch (error) {
    removeIfThere(temporary);
    throw writeFailure(error, write.shown);
  }
  await syncDirectory(write);
}

/** A rename would not mind that the file is read-only. Opening it, unlike asking, also knows the user in force. */
function assertWritable(target: string): void {
  closeSync(openSync(target, constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK));
}

const rename = promisify(renameWithCallback);
const sync = promisify(fsync);
const writeSome = promisify(writeWithCallback);

async function writeTemporary(temporary: string, { bytes, present, shown }: AtomicWrite): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  // A new file gets what the umask leaves; a replacement is private until it has the mode of the old one.
  const fd = openSync(temporary, flags, present === null ? 0o666 : 0o600);
  try {
    await writeAll(fd, bytes, shown);
    if (present !== null) takeAttributes(fd, present);
    await sync(fd);
  } finally {
    closeSync(fd);
  }
}

/** A full disk may show as a short count and no error. */
async function writeAll(fd: number, bytes: Uint8Array, shown: string): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await writeSome(fd, bytes, written, bytes.length - written);
    if (bytesWritten === 0) throw new ToolFailure({ code: 'no_space_left', path: shown });
    written += bytesWritten;
  }
}

const PERMISSION_BITS = 0o777;
const ALL_MODE_BITS = 0o7777;

function takeAttributes(fd: number, present: BigIntStats): void {
  const mode = Number(present.mode);
  const owned = takeOwner(fd, present);
  // Set-user-id bits are only right together with the user they were set for.
  fchmodSync(fd, mode & (owned ? ALL_MODE_BITS : PERMISSION_BITS));
}

function takeOwner(fd: number, present: BigIntStats): boolean {
  const { uid, gid } = fstatSync(fd, { bigint: true });
  if (uid === present.uid && gid === present.gid) return true;
  try {
    fchownSync(fd, Number(present.uid), Number(present.gid));
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EPERM' || errnoOf(error) === 'EINVAL') return false;
    throw error;
  }
}

const NO_HARD_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** A link, unlike a rename, fails if another process took the name meanwhile. */
async function moveToFreeName(temporary: string, target: string, shown: string): Promise<void> {
  const taken = new ToolFailure({ code: 'stale_file', path: shown });
  try {
    linkSync(temporary, target);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'EEXIST') throw taken;
    if (errno === null || !NO_HARD_LINKS.has(errno)) throw error;
    if (statsOf(target) !== null) throw taken;
    return rename(temporary, target);
  }
  unlinkSync(temporary);
}

async function moveOver(
  temporary: string,
  target: string,
  present: BigIntStats,
  shown: string,
): Promise<void> {
  const now = statsOf(target);
  if (now === null || !isSameContent(now, present))
    throw new ToolFailure({ code: 'stale_file', path: shown });
  await rename(temporary, target);
}

/** No write goes unnoticed: each one moves the time of change, which no process can set back. */
const isSameContent = (a: BigIntStats, b: BigIntStats): boolean =>
  a.dev === b.dev &&
  a.ino === b.ino &&
  a.size === b.size &&
  a.mtimeNs === b.mtimeNs &&
  a.ctimeNs === b.ctimeNs;

const statsOf = (path: string): BigIntStats | null =>
  lstatSync(path, { bigint: true, throwIfNoEntry: false }) ?? null;

function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    // The first failure is the one to report; a directory that can't be written any more keeps the file.
    if (errnoOf(error) === null) throw error;
  }
}

/** Makes the new name itself survive a power failure. */
async function syncDirectory({ directory, shown }: AtomicWrite): Promise<void> {
  try {
    const fd = openSync(directory.at('.'), constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      await sync(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    const errno = errnoOf(error);
    // Not every file system can sync a directory, and one that may be written need not be readable.
    if (errno === 'EINVAL' || errno === 'ENOTSUP' || errno === 'EACCES') return;
    const message = `the new content was written, but the disk did not confirm it (${errno ?? 'unknown'})`;
    throw new ToolFailure({ code: 'file_write_failure', path: shown, message });
  }
}
