import {
  accessSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** The result of a look at the machine; null where the look throws: no such file, or no permission. */
export function orNull<T>(look: () => T): T | null {
  try {
    return look();
  } catch {
    return null;
  }
}

/** None where the directory cannot be listed. */
export const namesIn = (directory: string): readonly string[] => orNull(() => readdirSync(directory)) ?? [];

/** None where the file cannot be read. */
export const linesOf = (path: string): readonly string[] =>
  orNull(() => readFileSync(path, 'utf8'))?.split('\n') ?? [];

/** Whether this user has a permission (`constants.R_OK`, `constants.W_OK`) for what exists there. */
export const isPermitted = (path: string, permission: number): boolean =>
  existsSync(path) && orNull(() => accessSync(path, permission)) !== null;

/** `/ws-evil` is not below `/ws`. */
export const isAtOrBelow = (path: string, directory: string): boolean =>
  path === directory || path.startsWith(directory === '/' ? '/' : `${directory}/`);

/** Where a path really leads; null if nothing is there, or nothing that we can see. */
export const realPath = (path: string): string | null =>
  // Most of these places do not exist, and an error takes ten times as long as this check.
  existsSync(path) ? orNull(() => realpathSync.native(path)) : null;

/** What is there after following symlinks; null if nothing is, or nothing that we can see. */
export function kindOf(path: string): 'directory' | 'socket' | 'other' | null {
  const found = orNull(() => statSync(path, { throwIfNoEntry: false })) ?? null;
  if (found === null) return null;
  return found.isDirectory() ? 'directory' : found.isSocket() ? 'socket' : 'other';
}

/** Whether the name is taken, if only by a symlink that leads nowhere. */
export const isNameTaken = (path: string): boolean =>
  (orNull(() => lstatSync(path, { throwIfNoEntry: false })) ?? null) !== null;

/**
 * What must be writable for `path` to be written: itself if it is there, else
 * the directory in which it would be made. A name that does not exist yet cannot
 * be opened up on its own.
 */
export function writableFor(path: string): { readonly path: string; readonly scope: 'file' | 'tree' } {
  for (let at = path; ; at = dirname(at)) {
    const real = realPath(at);
    if (real !== null) return { path: real, scope: kindOf(real) === 'directory' ? 'tree' : 'file' };
    if (at === '/') return { path: '/', scope: 'tree' };
  }
}
