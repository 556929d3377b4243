import { covers } from './granted.js';
import { guardsIn } from './guards.js';
import { isAtOrBelow, kindOf } from './paths.js';
import type { Profile } from './profile.js';

/**
 * Protected names that were not there before the command, or lead elsewhere
 * now. A name that nobody has yet cannot be mounted over, and an empty file
 * put there for the purpose would be seen by everybody; so these are looked for
 * when the command has ended, and while it runs. Somebody else may have made
 * them in the meantime: it is for a person to say what becomes of them.
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
