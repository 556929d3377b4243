import { isUtf8 } from 'node:buffer';
import { accessSync, type BigIntStats, constants, readFileSync, statSync } from 'node:fs';
import { errnoOf, orNull } from '@countersign/host';

const FILE_BYTES_MAX = 64_000_000; // an index of half a million files
const TEXT_BYTES_MAX = 1_000_000; // a configuration is a few hundred bytes

/**
 * The files that an answer was read from, with how they looked then. As long as
 * they look the same, so does the answer: `git status` is an everyday command,
 * and looking at a file's state costs a fraction of reading it.
 */
export class LookedAt {
  readonly #stamps = new Map<string, string>();

  /** null if there is no such file. What cannot be read, or is no file, is 'unreadable'. */
  read(path: string): Buffer | 'unreadable' | null {
    const stats = this.#look(path);
    if (stats === null) return null;
    if (stats === 'unreadable' || !stats.isFile() || stats.size > FILE_BYTES_MAX) return 'unreadable';
    return orNull(() => readFileSync(path)) ?? 'unreadable';
  }

  /** The same as text. Bytes that are none are taken for paths by git, and would be other paths here. */
  readText(path: string): { readonly text: string } | 'unreadable' | null {
    const bytes = this.read(path);
    if (!Buffer.isBuffer(bytes)) return bytes;
    if (bytes.length > TEXT_BYTES_MAX) return 'unreadable';
    return isUtf8(bytes) ? { text: bytes.toString('utf8') } : 'unreadable';
  }

  kind(path: string): 'file' | 'directory' | 'other' | null {
    const stats = this.#look(path);
    if (stats === null) return null;
    if (stats === 'unreadable') return 'other';
    return stats.isDirectory() ? 'directory' : stats.isFile() ? 'file' : 'other';
  }

  isExecutable(path: string): boolean {
    return this.kind(path) === 'file' && orNull(() => accessSync(path, constants.X_OK)) !== null;
  }

  isUnchanged(): boolean {
    for (const [path, stamp] of this.#stamps) if (stampOf(statOf(path)) !== stamp) return false;
    return true;
  }

  #look(path: string): BigIntStats | 'unreadable' | null {
    const stats = statOf(path);
    this.#stamps.set(path, stampOf(stats));
    return stats;
  }
}

function statOf(path: string): BigIntStats | 'unreadable' | null {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch (error) {
    // Below a file there is nothing.
    return errnoOf(error) === 'ENOTDIR' ? null : 'unreadable';
  }
}

/** Of a directory only that it is there: it changes with whatever is done in it. */
function stampOf(stats: BigIntStats | 'unreadable' | null): string {
  if (stats === null || stats === 'unreadable') return String(stats);
  if (stats.isDirectory()) return `directory ${stats.ino}`;
  return `${stats.ino} ${stats.size} ${stats.mode} ${stats.mtimeNs} ${stats.ctimeNs}`;
}
