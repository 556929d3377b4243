import { constants } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Need } from '@countersign/protocol';
import { accessTo, mountAt } from '../profile/mounts.js';
import { isAtOrBelow, isPermitted, kindOf, realPath, writableFor } from '../profile/paths.js';
import type { Profile } from '../profile/profile.js';
import { type Mention, pathsIn } from './mentioned-paths.js';

const CAN_NOT_WRITE = /read-only file ?system|EROFS/i;
const IS_MOUNTED = /device or resource busy|resource busy or locked|EBUSY/i;
const IS_MISSING =
  /no such file or directory|ENOENT|cannot connect|connection refused|ECONNREFUSED|does not exist|nonexistent|not a directory|ENOTDIR/i;

/** The path in a complaint, or in the lines `before` it (the nearest first), that the sandbox keeps out of reach. */
export function deniedPath(
  line: string,
  before: readonly string[],
  directory: string,
  profile: Profile,
): Need | null {
  const judge = CAN_NOT_WRITE.test(line)
    ? deniedWrite
    : IS_MOUNTED.test(line)
      ? deniedReplacement
      : IS_MISSING.test(line)
        ? deniedSight
        : null;
  if (judge === null) return null;
  // A complaint that names something is about that, whatever was printed before it.
  const isNamed = pathsIn(line).some(({ path, isCertain }) => isCertain || path.startsWith('/'));
  for (const text of isNamed ? [line] : [line, ...before])
    for (const mention of pathsIn(text)) {
      const denial = judge({ ...mention, path: resolve(directory, mention.path) }, profile, text);
      if (denial !== null) return denial;
    }
  return null;
}

/** These need their directory to be writable, not the file itself. */
const CHANGES_NAMES = /\b(?:rename|remove|unlink|rmdir|move|delete|replace)/i;

function deniedWrite({ path, isCertain }: Mention, profile: Profile, line: string): Need | null {
  // Words that only look like a path lead nowhere: a file that cannot be made for this reason has a directory.
  if (!isCertain && realPath(path) === null && realPath(dirname(path)) === null) return null;
  const target = writableFor(CHANGES_NAMES.test(line) ? dirname(path) : path);
  const access = accessTo(profile, target.path);
  return access === 'writable' || access === 'private' ? null : neededWrite(target);
}

/** A mount can be neither renamed nor removed nor replaced. */
function deniedReplacement({ path }: Mention, profile: Profile): Need | null {
  const real = realPath(path);
  if (real === null || !profile.mounts.some((mount) => mount.path === real)) return null;
  const isGuard = profile.guards.some((guard) => realPath(guard.path) === real);
  return neededWrite(writableFor(isGuard ? real : dirname(real)));
}

/** Words for making something new. */
const MAKES = /\b(?:creat|touch|mkdir|writ)/i;

/** Something that exists outside the sandbox, or that could be made in a directory that exists there. */
function deniedSight({ path }: Mention, profile: Profile, line: string): Need | null {
  const real = realPath(path);
  if (real === null) {
    const directory = realPath(dirname(path));
    const isMissed = directory !== null && outOfSight(directory, profile) === 'private';
    return isMissed ? neededWrite({ path: directory, scope: 'tree' }) : null;
  }
  if (outOfSight(real, profile) === null) return null;
  const kind = kindOf(real);
  const target = { path: real, scope: kind === 'directory' ? 'tree' : 'file' } as const;
  // To connect to a socket is to write to it.
  return kind === 'socket'
    ? { needs: 'write', ...target }
    : MAKES.test(line)
      ? neededWrite(target)
      : { needs: 'read', ...target };
}

/** What keeps it out of sight; null if it can be seen. */
function outOfSight(path: string, profile: Profile): 'hidden' | 'private' | null {
  const mount = mountAt(profile, path);
  if (mount?.access === 'hidden') return 'hidden';
  return mount?.access === 'private' && mount.path !== path ? 'private' : null;
}

/** No grant makes an ordinary file of what the kernel shows there. */
const KERNEL = ['/proc', '/sys', '/dev'];

function neededWrite(target: ReturnType<typeof writableFor>): Need | null {
  const isOrdinary = target.path !== '/' && !KERNEL.some((place) => isAtOrBelow(target.path, place));
  // What this user may not write outside the sandbox either is no matter of the sandbox.
  return isOrdinary && isPermitted(target.path, constants.W_OK) ? { needs: 'write', ...target } : null;
}
