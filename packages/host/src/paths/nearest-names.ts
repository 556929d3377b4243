import type { Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { ToolFailure } from '@countersign/protocol';
import { componentsBelow, componentsOf, shownPath, splitPath } from './components.js';
import { errnoOf } from './file-failure.js';
import { type HeldDirectory, insideDirectory } from './open-inside.js';

const SUGGESTIONS_MAX = 3; // more would be a listing
// A suggestion is a courtesy: it may not cost more than the call.
const ENTRIES_LOOKED_AT_MAX = 2_000;
const DIRECTORIES_SEARCHED_MAX = 300;

/** What to throw for a path that does not exist, with suggestions near it or, as well, anywhere in the workspace. */
export async function fileNotFound(
  path: string,
  workspace: string,
  suggest: 'near' | 'anywhere',
): Promise<ToolFailure> {
  const nearest = await nearestPaths(path, suggest === 'anywhere' ? workspace : undefined);
  return new ToolFailure({
    code: 'file_not_found',
    path: shownPath(workspace, path),
    nearest: nearest.map((each) => shownPath(workspace, each)),
  });
}

/**
 * Paths that exist and resemble one that does not, the likeliest first: the
 * same path with its misspelled names corrected, then, within the workspace,
 * files of that very name elsewhere, then as far as a correction leads.
 */
export async function nearestPaths(missing: string, workspace?: string): Promise<string[]> {
  const corrections = await correctionsOf(missing);
  const whole = corrections.filter(({ isWhole }) => isWhole);
  const isInside = workspace !== undefined && componentsBelow(workspace, missing) !== null;
  const elsewhere =
    isInside && whole.length < SUGGESTIONS_MAX ? await sameNameIn(workspace, splitPath(missing).name) : [];
  const inPart = corrections.filter(({ isWhole }) => !isWhole);
  const paths = [...whole.map(({ path }) => path), ...elsewhere, ...inPart.map(({ path }) => path)];
  return [...new Set(paths)].slice(0, SUGGESTIONS_MAX);
}

/** Files that may be meant by the name of a directory: beside it with a similar name, or in it. */
export async function filesNear(directory: string): Promise<string[]> {
  const { parent, name } = splitPath(directory);
  const filesIn = async (path: string) =>
    ((await entriesOf(path)) ?? []).filter((entry) => entry.isFile()).map((entry) => entry.name);
  const beside = similarNames(name, await filesIn(parent)).map((near) =>
    pathOf([...componentsOf(parent), near]),
  );
  const within = (await filesIn(directory)).sort().map((near) => pathOf([...componentsOf(directory), near]));
  return [...beside, ...within].slice(0, SUGGESTIONS_MAX);
}

type Correction = { readonly path: string; readonly isWhole: boolean };

async function correctionsOf(missing: string): Promise<readonly Correction[]> {
  const names = componentsOf(missing);
  for (let depth = names.length - 1; depth >= 0; depth -= 1) {
    const parent = names.slice(0, depth);
    if ((await entriesOf(pathOf(parent))) === null) continue;
    return (await corrected(parent, names.slice(depth))).filter(({ path }) => path !== pathOf(parent));
  }
  return [];
}

/** Follows the names from a directory that is there, through every similar one where there is none of a name. */
async function corrected(
  parent: readonly string[],
  names: readonly string[],
): Promise<readonly Correction[]> {
  const [name, ...rest] = names;
  if (name === undefined) return [{ path: pathOf(parent), isWhole: true }];
  const entries = await entriesOf(pathOf(parent));
  if (entries === null || entries.length === 0) return [{ path: pathOf(parent), isWhole: false }];
  const siblings = entries.map((entry) => entry.name);
  const candidates = siblings.includes(name) ? [name] : similarNames(name, siblings);
  if (candidates.length === 0) return [{ path: pathOf(parent), isWhole: false }];
  const ways = await Promise.all(candidates.map((candidate) => corrected([...parent, candidate], rest)));
  return ways.flat();
}

/** Searched level by level: what lies near the top is likelier to be meant. Symbolic links are not followed. */
async function sameNameIn(workspace: string, name: string): Promise<string[]> {
  const found: string[] = [];
  const pending = [workspace];
  for (
    let searched = 0;
    searched < DIRECTORIES_SEARCHED_MAX && found.length < SUGGESTIONS_MAX;
    searched += 1
  ) {
    const directory = pending.shift();
    if (directory === undefined) break;
    for (const entry of (await entriesOf(directory)) ?? []) {
      const path = pathOf([...componentsOf(directory), entry.name]);
      if (entry.name.toLowerCase() === name.toLowerCase()) found.push(path);
      else if (entry.isDirectory() && !NEVER_SEARCHED.includes(entry.name)) pending.push(path);
    }
  }
  return found;
}

const NEVER_SEARCHED = ['.git', 'node_modules']; // large, and hardly ever what was meant

const pathOf = (names: readonly string[]): string => `/${names.join('/')}`;

/** null if there is no such directory. What can't be listed offers nothing. */
async function entriesOf(realPath: string): Promise<readonly Dirent[] | null> {
  try {
    return await insideDirectory(realPath, 'fail', firstEntries);
  } catch (error) {
    return errnoOf(error) === 'ENOENT' ? null : [];
  }
}

async function firstEntries(directory: HeldDirectory): Promise<Dirent[]> {
  const entries: Dirent[] = [];
  for await (const entry of await opendir(directory.at('.'))) {
    entries.push(entry);
    if (entries.length === ENTRIES_LOOKED_AT_MAX) break;
  }
  return entries;
}

/** Misspelled, in another case, or the same name with another extension. */
export function similarNames(wanted: string, names: readonly string[]): string[] {
  const distanceMax = Math.max(1, Math.floor(wanted.length / 3));
  const distanceTo = (name: string) => {
    const distance = editDistance(wanted.toLowerCase(), name.toLowerCase(), distanceMax);
    return stemOf(name) === stemOf(wanted) ? Math.min(distance, 1) : distance;
  };
  return names
    .map((name) => ({ name, distance: distanceTo(name) }))
    .filter(({ distance }) => distance <= distanceMax)
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, SUGGESTIONS_MAX)
    .map(({ name }) => name);
}

const stemOf = (name: string): string => name.toLowerCase().replace(/(?<=.)\.[^.]*$/, '');

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
