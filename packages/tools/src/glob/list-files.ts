import { componentsBelow, insideDirectory } from '@countersign/host';
import { GIT_DIRECTORY, type TreeFilter } from '../ignore/tree-filter.js';
import { walkFiles } from '../ignore/walk-files.js';
import type { Ripgrep } from '../ripgrep/confined-ripgrep.js';
import { NameReader } from '../ripgrep/read-names.js';
import { failed, globsToExclude, runRipgrep, unreadableIn } from '../ripgrep/run-ripgrep.js';

export type Listing = {
  /** The ripgrep to list with; null to walk the tree ourselves. */
  readonly ripgrep: Ripgrep | null;
  /** The real path of the directory to list, with all below it. */
  readonly path: string;
  /** The real path of the directory where the filter begins: that one, or one above it. */
  readonly filterRoot: string;
  readonly filter: TreeFilter;
  readonly respectsGitIgnore: boolean;
  /** How many names a path from `path` may have. */
  readonly depthMax: number;
  readonly signal: AbortSignal;
  /** Called with each file, by its path from `path`. */
  readonly found: (file: string) => void;
};

/** Lists all files of a tree that no ignore file names. Returns the directories that could not be read. */
export function listFiles(listing: Listing): Promise<string[]> {
  const { ripgrep, path, filterRoot, filter, found } = listing;
  const above = (componentsBelow(filterRoot, path) ?? []).join('/');
  const hides: TreeFilter['hides'] = (file, type) =>
    filter.hides(above === '' ? file : `${above}/${file}`, type);
  if (ripgrep === null) return listByWalking(listing, hides);
  return listWithRipgrep(
    ripgrep,
    { ...listing, found: (file) => !hides(file, 'other') && found(file) },
    above,
  );
}

const listWithRipgrep = (ripgrep: Ripgrep, listing: Listing, above: string): Promise<string[]> =>
  insideDirectory(listing.path, 'fail', async (directory) => {
    const { filter, respectsGitIgnore, depthMax, signal, found } = listing;
    const names = new NameReader(found);
    const { exitCode, complaints } = await runRipgrep({
      ripgrep,
      directory,
      args: [
        '--files',
        ...(respectsGitIgnore ? [] : ['--no-ignore']),
        ...(depthMax === Number.POSITIVE_INFINITY ? [] : [`--max-depth=${depthMax}`]),
        ...globsToExclude([GIT_DIRECTORY], 'anywhere'),
        ...globsToExclude(filter.hiddenDirectoriesIn(above), 'here'),
      ],
      signal,
      take: (printed) => {
        names.take(printed);
        return 'more';
      },
    });
    const unreadable = unreadableIn(complaints);
    // 1: no files; 2 also if some directory could not be read.
    const hasListed = exitCode === 0 || exitCode === 1 || unreadable.length > 0;
    if (!hasListed) throw failed(`ripgrep could not list files: ${complaints.split('\n')[0] ?? ''}`);
    return unreadable;
  });

async function listByWalking(listing: Listing, hides: TreeFilter['hides']): Promise<string[]> {
  const { path, depthMax, signal, found } = listing;
  const unreadable: string[] = [];
  const files = walkFiles({
    path,
    hides,
    depthMax,
    signal,
    unreadable: (directory) => unreadable.push(directory),
  });
  for await (const file of files) found(file);
  return unreadable;
}
