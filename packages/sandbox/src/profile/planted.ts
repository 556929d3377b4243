import { covers } from './granted.js';
import { guardsIn } from './guards.js';
import { isAtOrBelow, kindOf } from './paths.js';
import type { Profile } from './profile.js';

/**
 * Protected names that were not there before the command, or lead elsewhere
 * now. A name that does not exist yet cannot be mounted over, and an empty
 * file made for the purpose would be visible outside the sandbox; so these are
 * searched when the command has ended, and while it runs. Another process may
 * have made them in the meantime: the user decides what to do about them.
 */
export function plantedIn(profile: Profile, isGuarded: (path: string) => boolean): readonly string[] {
  const before = new Map(profile.guards.map(({ path, link }) => [path, link]));
  if (kindOf(profile.workspace) !== 'directory') return [];
  const planted = guardsIn(profile.workspace, isGuarded)
    .filter(({ path, link }) => before.get(path) !== link)
    .map(({ path }) => path)
    .filter((path) => !profile.granted.some((grant) => covers(grant, path)));
  return planted.filter((path) => !planted.some((other) => other !== path && isAtOrBelow(path, other)));
}
