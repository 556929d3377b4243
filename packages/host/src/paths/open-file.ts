import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, read } from 'node:fs';
import { promisify } from 'node:util';
import { ToolFailure } from '@countersign/protocol';
import { splitPath } from './components.js';
import { errnoOf, readFailure } from './file-failure.js';
import { type HeldDirectory, insideDirectory } from './open-inside.js';

/** The caller closes it, with `closeSync`. */
export type OpenedFile = { readonly fd: number; readonly stats: BigIntStats };

/**
 * Opens a regular file of a held directory for reading; null if there is none.
 * Anything else is refused without being opened: opening a pipe may block, and
 * opening a device may do something. Synchronous for the same reason as the
 * walk to the directory.
 */
export function openFile(directory: HeldDirectory, name: string, shown: string): OpenedFile | null {
  if (name === '') throw new ToolFailure({ code: 'target_is_directory', path: shown });
  try {
    const stats = lstatSync(directory.at(name), { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) return null;
    assertRegular(stats, shown);
    return checked(openSync(directory.at(name), READ_ONLY), shown);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ENOENT') return null;
    if (errno === 'ELOOP') throw new ToolFailure({ code: 'stale_file', path: shown });
    throw error;
  }
}

const READ_ONLY = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** A file that is put in the other's place after this look is still read from the one opened here. */
function checked(fd: number, shown: string): OpenedFile {
  try {
    const stats = fstatSync(fd, { bigint: true });
    assertRegular(stats, shown);
    return { fd, stats };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function assertRegular(stats: BigIntStats, path: string): void {
  if (stats.isFile()) return;
  // The path had no symlinks when the call was planned.
  if (stats.isSymbolicLink()) throw new ToolFailure({ code: 'stale_file', path });
  if (stats.isDirectory()) throw new ToolFailure({ code: 'target_is_directory', path });
  throw new ToolFailure({ code: 'target_is_special', path, what: specialKindOf(stats) });
}

type FileTypeTests = Pick<BigIntStats, 'isFIFO' | 'isSocket' | 'isCharacterDevice' | 'isBlockDevice'>;

export function specialKindOf(file: FileTypeTests): string {
  if (file.isFIFO()) return 'a named pipe';
  if (file.isSocket()) return 'a socket';
  if (file.isCharacterDevice() || file.isBlockDevice()) return 'a device';
  return 'of an unknown type';
}

export type WholeFile = { readonly bytes: Buffer; readonly stats: BigIntStats };

/** All bytes of a file; null if there is none. Refuses more than `bytesMax`, also if it grows meanwhile. */
export async function readWholeFile(
  directory: HeldDirectory,
  name: string,
  shown: string,
  bytesMax: number,
): Promise<WholeFile | null> {
  const file = openFile(directory, name, shown);
  if (file === null) return null;
  try {
    return { bytes: await readAll(file, shown, bytesMax), stats: file.stats };
  } finally {
    closeSync(file.fd);
  }
}

/** The same for the file of a real path. What goes wrong is thrown as a failure as data. */
export function readFileAt(path: string, shown: string, bytesMax: number): Promise<WholeFile | null> {
  const { parent, name } = splitPath(path);
  return readInside(parent, shown, (directory) => readWholeFile(directory, name, shown, bytesMax));
}

/** Like `insideDirectory`, for reading: null if there is no such directory, and a failure as data for anything else. */
export async function readInside<T>(
  realPath: string,
  shown: string,
  work: (directory: HeldDirectory) => Promise<T>,
): Promise<T | null> {
  try {
    return await insideDirectory(realPath, 'fail', work);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw readFailure(error, shown);
  }
}

export const readFrom = promisify(read);

async function readAll(file: OpenedFile, shown: string, bytesMax: number): Promise<Buffer> {
  const tooLarge = (bytes: number) =>
    new ToolFailure({ code: 'file_too_large', path: shown, bytes, bytesMax });
  const size = Number(file.stats.size);
  if (size > bytesMax) throw tooLarge(size);
  // One byte more than there should be: a read that has all of the size and still comes back short was the last.
  let buffer = Buffer.allocUnsafe(size + 1);
  let filled = 0;
  for (;;) {
    const { bytesRead } = await readFrom(file.fd, buffer, filled, buffer.length - filled, filled);
    filled += bytesRead;
    if (filled > bytesMax) throw tooLarge(filled);
    if (bytesRead === 0 || (filled >= size && filled < buffer.length)) return buffer.subarray(0, filled);
    if (filled === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)]);
  }
}
