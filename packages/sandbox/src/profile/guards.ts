import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isNameTaken, kindOf, namesIn, orNull, realPath } from './paths.js';

/** A protected name in the workspace that is taken, or made for the purpose. */
export type Guard = {
  readonly path: string;
  /** Its target if it is a symlink, which cannot be held in place by a mount. */
  readonly link: string | null;
  /**
   * `fixed`: neither it nor what is in it may change. `open`: what is in it may, but the name itself must stay.
   * `made`: an empty directory takes the name, which is free. Bubblewrap makes it; in a `.git` it disturbs nothing.
   */
  readonly hold: 'fixed' | 'open' | 'made';
};

/**
 * What in a Git directory makes Git run programs, or read its settings from
 * elsewhere. The other parts must be writable for Git to work at all.
 */
const GIT_PARTS = ['config', 'config.worktree', 'commondir', 'modules', 'worktrees'];

/** Git takes a directory for a repository if it has these. */
const GIT_SIGNS = ['HEAD', 'objects', 'refs'];

/**
 * Names at the top of the workspace, and in the hidden directories there
 * (`.github/workflows`): to look for all of them would be to walk the whole tree.
 */
export function guardsIn(workspace: string, isGuarded: (path: string) => boolean): Guard[] {
  const names = readdirSync(workspace);
  const guards = names.flatMap((name) => {
    const path = join(workspace, name);
    const repository = name === '.git' && kindOf(path) === 'directory' ? realPath(path) : null;
    if (repository !== null) return [guard(path, 'open'), ...gitParts(repository)];
    if (name === '.git' || isGuarded(path)) return [guard(path, 'fixed')];
    return name.startsWith('.') ? guardsInHidden(path, isGuarded) : [];
  });
  const isRepository = GIT_SIGNS.every((sign) => names.includes(sign));
  return isRepository ? [...guards, ...gitParts(workspace)] : guards;
}

const HIDDEN_NAMES_MAX = 200; // more than a directory of settings has; what holds more is a cache

/** A symlink to a directory is not followed: what it leads to has a name of its own. */
function guardsInHidden(directory: string, isGuarded: (path: string) => boolean): Guard[] {
  if (linkAt(directory) !== null || kindOf(directory) !== 'directory') return [];
  const names = namesIn(directory).slice(0, HIDDEN_NAMES_MAX);
  return names
    .map((name) => join(directory, name))
    .filter(isGuarded)
    .map((path) => guard(path, 'fixed'));
}

function gitParts(directory: string): Guard[] {
  const parts = GIT_PARTS.map((part) => join(directory, part)).filter(isNameTaken);
  const hooks = join(directory, 'hooks');
  return [guard(hooks, isNameTaken(hooks) ? 'fixed' : 'made'), ...parts.map((path) => guard(path, 'fixed'))];
}

const guard = (path: string, hold: Guard['hold']): Guard => ({ path, link: linkAt(path), hold });

const linkAt = (path: string): string | null => orNull(() => readlinkSync(path));
