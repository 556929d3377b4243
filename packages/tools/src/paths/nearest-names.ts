import { existsSync } from 'node:fs';
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
    const parent = names.slice(0, depth);
    const siblings = await namesIn(`/${parent.join('/')}`);
    if (siblings === null) continue;
    const rest = names.slice(depth + 1);
    return similarNames(names[depth] ?? '', siblings).map((name) => furthest([...parent, name], rest));
  }
  return [];
}

/** The whole path with that one name corrected, if it is there; else as far as the correction. */
function furthest(corrected: readonly string[], rest: readonly string[]): string {
  const whole = `/${[...corrected, ...rest].join('/')}`;
  return existsSync(whole) ? whole : `/${corrected.join('/')}`;
}

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

/**
 * Insertions, deletions, replacements and swaps of neighbours needed; anything
 * above `max` is reported as `max + 1`.
 */
function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? max + 1;
  for (let row = 1; row <= a.length; row += 1) {
    rows.push([row]);
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = at(row - 1, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const swapped =
        a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1] ? at(row - 2, column - 2) + 1 : replaced;
      rows[row]?.push(Math.min(replaced, swapped, at(row - 1, column) + 1, at(row, column - 1) + 1));
    }
  }
  return at(a.length, b.length);
}
