import { dirname } from 'node:path';
import type { Guard } from './guards.js';
import { accessAmong, isVisible, type Mount, type MountTable } from './mounts.js';
import { isAtOrBelow, kindOf, realPath } from './paths.js';

/** A symlink that a command left must not open up what is hidden, or what is guarded under its own name. */
export function mountOf({ path, link, hold }: Guard, mounts: MountTable, workspace: string): Mount[] {
  const real = realPath(path) ?? path;
  if (!isAtOrBelow(real, workspace) || !isVisible(mounts, real)) return [];
  switch (hold) {
    case 'open':
      return link === null ? [{ access: 'writable', path: real }] : [];
    case 'fixed':
      return kindOf(real) === null ? [] : [{ access: 'read-only', path: real }];
    case 'made':
      return accessAmong(mounts, real) === 'writable'
        ? [{ access: 'hidden', path: real, kind: 'directory' }]
        : [];
  }
}

/**
 * The directories of the workspace in which something is hidden or guarded are
 * mounted on themselves: a mount can be neither renamed nor removed, so that
 * no command puts another directory in its place.
 */
export function anchors(mounts: MountTable, workspace: string): Mount[] {
  const held = [...mounts.values()].filter(({ access }) => access === 'hidden' || access === 'read-only');
  return held.flatMap(({ path }) => {
    const above: Mount[] = [];
    for (let at = dirname(path); at !== workspace && isAtOrBelow(at, workspace); at = dirname(at))
      if (!mounts.has(at) && accessAmong(mounts, at) === 'writable')
        above.push({ access: 'writable', path: at });
    return above;
  });
}
