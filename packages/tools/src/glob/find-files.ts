import { type RunContext } from '@countersign/engine';
import { componentsBelow, errnoOf, readFailure, shownPath, splitPath } from '@countersign/host';
import { ToolFailure } from '@countersign/protocol';
import { isGranted } from '../define-tool/granted-path.js';
import { GIT_IGNORE } from '../ignore/filtering-options.js';
import { TreeFilter } from '../ignore/tree-filter.js';
import { confinedRipgrep, type Ripgrep } from '../ripgrep/confined-ripgrep.js';
import { leftToFilter } from '../ripgrep/left-to-filter.js';
import type { PatternPlace } from './file-patterns.js';
import { listFiles } from './list-files.js';

export type FileQuery = {
  readonly places: readonly PatternPlace[];
  /** The real path of the directory that the patterns begin at: ignore files that name it do not count. */
  readonly directory: string;
  readonly ignoreFileNames: readonly string[];
  /** Called with each file once, by its real path. */
  readonly found: (path: string) => void;
};

/** Finds the files that patterns match. Returns the directories that could not be read. */
export async function findFiles(query: FileQuery, context: RunContext): Promise<string[]> {
  const ripgrep = await confinedRipgrep(context.workspace);
  const seen = new Set<string>();
  const once: FileQuery = {
    ...query,
    found: (path) => {
      if (query.places.length > 1 && seen.size === seen.add(path).size) return;
      query.found(path);
    },
  };
  const unreadable: string[] = [];
  for (const place of query.places) {
    assertGranted(place.path, context);
    if (place.scope === 'file') findFile(place.path, once, context);
    else unreadable.push(...(await findInTree(place, once, ripgrep, context)));
  }
  return unreadable;
}

function findFile(
  path: string,
  { directory, ignoreFileNames, found }: FileQuery,
  { workspace }: RunContext,
): void {
  const root = filterRoot(directory, splitPath(path).parent);
  const filter = new TreeFilter(workspace, root, ignoreFileNames);
  if (!filter.hides((componentsBelow(root, path) ?? []).join('/'), 'other')) found(path);
}

async function findInTree(
  { path, globs, depthMax }: Extract<PatternPlace, { scope: 'tree' }>,
  { directory, ignoreFileNames, found }: FileQuery,
  ripgrep: Ripgrep | null,
  { workspace, signal }: RunContext,
): Promise<string[]> {
  const root = filterRoot(directory, path);
  const isListedFromTheTop = ripgrep !== null && path === root;
  const fileNames = isListedFromTheTop ? leftToFilter(path, workspace, ignoreFileNames) : ignoreFileNames;
  const listed = listFiles({
    ripgrep,
    path,
    filterRoot: root,
    filter: new TreeFilter(workspace, root, fileNames),
    respectsGitIgnore: ignoreFileNames.includes(GIT_IGNORE),
    depthMax,
    signal,
    found: (file) => {
      if (globs.some((glob) => glob.matches(file))) found(`${path}/${file}`);
    },
  });
  const missed = await orNothing(listed, shownPath(workspace, path));
  return missed.map((name) => shownPath(workspace, `${path}/${name}`));
}

/** What lies elsewhere than where the patterns begin is judged by its own ignore files alone. */
const filterRoot = (directory: string, path: string): string =>
  componentsBelow(directory, path) === null ? path : directory;

/** Patterns are resolved again when they are used: what was judged must be what they still mean. */
function assertGranted(path: string, { plan, workspace }: RunContext): void {
  if (!isGranted(plan, path, 'fs.read'))
    throw new ToolFailure({ code: 'stale_file', path: shownPath(workspace, path) });
}

/** In a directory that is not there, or is none, nothing matches. */
async function orNothing(listed: Promise<string[]>, shown: string): Promise<string[]> {
  try {
    return await listed;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    if (error instanceof ToolFailure && error.failure.code === 'target_is_not_directory') return [];
    throw readFailure(error, shown);
  }
}
