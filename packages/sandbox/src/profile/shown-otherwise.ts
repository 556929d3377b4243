import { isAtOrBelow } from './paths.js';
import type { Profile } from './profile.js';

/** Those of these paths that are there for a confined command, but are not what everybody else sees. */
export const shownOtherwise = (paths: readonly string[], { mounts }: Profile): string[] =>
  paths.filter((path) => {
    const mount = mounts.findLast((candidate) => isAtOrBelow(path, candidate.path));
    return mount?.access === 'hidden' || (mount?.access === 'private' && mount.path === path);
  });
