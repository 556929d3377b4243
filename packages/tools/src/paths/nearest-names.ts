import { opendir } from 'node:fs/promises';
import { errnoOf } from '../file-failure.js';
import { componentsOf } from './components.js';
import { type HeldDirectory, insideDirectory } from './open-inside.js';

const SUGGESTIONS_MAX = 3; // more would be a listing
const ENTRIES_LOOKED_AT_MAX = 2_000; // a suggestion is a courtesy: it may not cost more than the call

/**
 * Paths that exist and resemble one that does not: the first name that is
 * missing is compared with what lies beside it.
 */
export async function nearestPaths(missing: string): Promise<string[]> {
  const names = componentsOf(missing);
  for (let depth = names.length - 1; depth >= 0; depth -= 1) {
    const parent = `/${names.slice(0, depth).join('/')}`;
    const siblings = await namesIn(parent);
    if (siblings !== null)
      return similarNames(names[depth] ?? '', siblings).map((name) => join(parent, name));
  }
  return [];
}

const join = (parent: string, name: string) => (parent === '/' ? `/${name}` : `${parent}/${name}`);

async function namesIn(realPath: string): Promise<string[] | null> {
  try {
    return await insideDirectory(realPath, 'fail', firstNames);
  } catch (error) {
    // What can't be listed offers no suggestion; what is missing makes the caller look one level up.
    return errnoOf(error) === 'ENOENT' ? null : [];
  }
}

async function firstNames(directory: HeldDirectory): Promise<string[]> {
  const names: string[] = [];
  for await (const entry of await opendir(directory.at('.'))) {
    names.push(entry.name);
    if (names.length === ENTRIES_LOOKED_AT_MAX) break;
  }
  return names;
}

export function similarNames(wanted: string, names: readonly string[]): string[] {
  const distanceMax = Math.max(1, Math.floor(wanted.length / 3));
  return names
    .map((name) => ({ name, distance: editDistance(wanted.toLowerCase(), name.toLowerCase(), distanceMax) }))
    .filter(({ distance }) => distance <= distanceMax)
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, SUGGESTIONS_MAX)
    .map(({ name }) => name);
}

/** Insertions, deletions and replacements needed; anything above `max` is reported as `max + 1`. */
function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    if (Math.min(...current) > max) return max + 1;
    previous = current;
  }
  return previous[b.length] ?? max + 1;
}
