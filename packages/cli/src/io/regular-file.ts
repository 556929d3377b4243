import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { messageOf } from './failure-text.js';

export type RegularFile =
  | { readonly type: 'read'; readonly bytes: Buffer }
  | { readonly type: 'absent' }
  | { readonly type: 'unusable'; readonly problem: string };

/** Larger configuration files are a mistake, and would delay the start. */
const BYTES_MAX = 1_000_000;

/**
 * Reads a configuration file. A pipe or device in its place must not block the program. Synchronous: most of
 * these files do not exist, and checking that synchronously is a hundred times faster.
 */
export function readRegularFile(path: string): RegularFile {
  let fd: number;
  try {
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return { type: 'absent' };
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (thrown) {
    return unusable(`it cannot be read: ${messageOf(thrown)}`);
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) return unusable('it is not a regular file');
    if (stats.size > BYTES_MAX)
      return unusable(`the file has ${stats.size} bytes; the limit is ${BYTES_MAX}`);
    return { type: 'read', bytes: readFileSync(fd) };
  } catch (thrown) {
    return unusable(`it cannot be read: ${messageOf(thrown)}`);
  } finally {
    closeSync(fd);
  }
}

const unusable = (problem: string): RegularFile => ({ type: 'unusable', problem });

/** Null for what is not UTF-8. */
export function decodeText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
