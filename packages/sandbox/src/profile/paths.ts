import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** `/ws-evil` is not below `/ws`. */
export const isAtOrBelow = (path: string, directory: string): boolean =>
  path === directory || path.startsWith(directory === '/' ? '/' : `${directory}/`);

/** Where a path really leads; null if nothing is there, or nothing that we can see. */
export function realPath(path: string): string | null {
  // Most places that are asked for are not there, and to be told so by an error takes ten times as long.
  if (!existsSync(path)) return null;
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

/** What is there after following symlinks; null if nothing is, or nothing that we can see. */
export function kindOf(path: string): 'directory' | 'socket' | 'other' | null {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return null;
    return found.isDirectory() ? 'directory' : found.isSocket() ? 'socket' : 'other';
  } catch {
    return null;
  }
}

/** Whether the name is taken, if only by a symlink that leads nowhere. */
export function isNameTaken(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/**
 * What must be writable for `path` to be written: itself if it is there, else
 * the directory in which it would be made. A name that nobody has yet cannot
 * be opened up on its own.
 */
export function writableFor(path: string): { readonly path: string; readonly scope: 'file' | 'tree' } {
  for (let at = path; ; at = dirname(at)) {
    const real = realPath(at);
    if (real !== null) return { path: real, scope: kindOf(real) === 'directory' ? 'tree' : 'file' };
    if (at === '/') return { path: '/', scope: 'tree' };
  }
}
