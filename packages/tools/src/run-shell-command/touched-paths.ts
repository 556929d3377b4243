import { existsSync, lstatSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { PathUse } from '@countersign/commands';
import { type classify, orNull, resolvePath, resolvePathSync, secretsBelow } from '@countersign/host';
import { type DeclaredResource, ToolFailure } from '@countersign/protocol';
import { withHome } from './home-of.js';
import { fits, tokensOf } from './name-pattern.js';
import { isWild, matchesOf, mayMatchSecrets, type PatternReading } from './pattern-matches.js';

export type FileUse = Extract<DeclaredResource, { kind: 'fs.read' | 'fs.write' }>;

/** Where and how the words of a command line are looked up. */
export type Lookup = {
  readonly workspace: string;
  readonly classify: typeof classify;
  /** What paths may be relative to: where it begins, and where it goes. */
  readonly folders: readonly string[];
  readonly patterns: PatternReading;
  /** Whether words that may be no paths count if there is a folder to make them in. */
  readonly perhaps: 'there' | 'or made';
};

const SEARCHED_ENTRIES_MAX = 100_000; // a larger tree takes longer to look through than a person to answer

/** The files that a path means, by every directory it may be relative to. */
export async function touchedBy(use: PathUse, lookup: Lookup): Promise<FileUse[]> {
  const path = withHome(use.path);
  if (path === '' || isInstead(use, lookup)) return [];
  const found = await Promise.all(
    lookup.folders.map((from) =>
      use.isPattern ? matchedFiles(use, path, from, lookup) : namedFile(use, path, from, lookup),
    ),
  );
  return found.flat();
}

/** Whether the program is given another path than the one that it would begin with. */
export const isInstead = ({ unless }: PathUse, { folders }: Pick<Lookup, 'folders'>): boolean =>
  unless.some((path) => folders.some((from) => path !== '' && isThere(resolve(from, path))));

async function namedFile(use: PathUse, path: string, from: string, lookup: Lookup): Promise<FileUse[]> {
  const spelled = path.startsWith('/') ? path : `${from}/${path}`;
  if (HARMLESS_DEVICES.test(resolve(spelled))) return [];
  const counts =
    use.as === 'path' || isThere(spelled) || (lookup.perhaps === 'or made' && canBeMade(spelled));
  if (!counts) {
    // A program may expand patterns itself: of those, the directory in which it would look.
    const base = isWild(path) ? path.slice(0, path.search(/[^/]*[*?[]/)) : '';
    return base === '' ? [] : namedFile({ ...use, as: 'perhaps' }, base, from, lookup);
  }
  const file = await meaningOf(spelled, use);
  if (file === null) return [];
  return [use.search?.shows === 'content' ? searched(file) : file, ...searchedFrom(file, use, lookup)];
}

const searched = (file: FileUse): FileUse => ({ ...file, searched: true });

/** Of a pattern: the directory that is looked in, what matches there and is not ordinary, and what may match later. */
async function matchedFiles(use: PathUse, path: string, from: string, lookup: Lookup): Promise<FileUse[]> {
  const base = path.slice(0, path.search(/[^/]*(?:[*?[]|[@+!]\()/));
  const looked = await namedFile(
    { ...use, as: 'path', search: null },
    base === '' ? '.' : base,
    from,
    lookup,
  );
  const { paths, isAll } = matchesOf(path, from, lookup.patterns);
  const files = await Promise.all(
    paths.map(async (match) => {
      const file =
        use.as === 'looked up' ? await meaningOf(dirname(match), use) : await meaningOf(match, use);
      return file === null ? [] : [file, ...searchedFrom(file, use, lookup)];
    }),
  );
  const [place] = looked;
  const ask = (why: string): FileUse[] => (place === undefined ? [] : [{ ...place, guarded: why }]);
  return [
    ...(use.reveals === 'content' && use.as === 'path' ? looked.map(searched) : looked),
    ...files.flat().filter((file) => isDelicate(file, lookup, use.reveals)),
    ...(isAll ? [] : ask(`"${use.path}" could match too many files to determine which`)),
    ...(use.reveals === 'content' && use.as === 'path' && mayMatchSecrets(path)
      ? ask(`"${use.path}" may match files that hold secrets`)
      : []),
  ];
}

/** A program that only prints names of files gives no secret away. */
function isDelicate(file: FileUse, { workspace, classify }: Lookup, reveals: PathUse['reveals']): boolean {
  const { place, guarded, ours } = classify(workspace, file.path);
  return place === 'outside' || ours || (guarded !== null && reveals === 'content') || file.guarded != null;
}

/** What a search below a directory would come upon. */
function searchedFrom(file: FileUse, { search }: PathUse, { workspace, classify }: Lookup): FileUse[] {
  if (search === null || !isDirectory(file.path)) return [];
  const root = file.path;
  const { pattern = null, splits = false } = search.names ?? {};
  const tokens = pattern === null ? null : tokensOf(pattern);
  const { secrets, links, comesApart, isAll } = secretsBelow(root, {
    ...search,
    entriesMax: SEARCHED_ENTRIES_MAX,
    ...(tokens === null ? {} : { isRead: (name: string) => fits(tokens, name) }),
  });
  const below = (path: string): FileUse => ({ kind: 'fs.read', path: `${root}/${path}`, scope: 'file' });
  const outside = links.flatMap((link) => {
    const target = targetOf(`${root}/${link}`);
    return target === null || classify(workspace, target).place === 'workspace'
      ? []
      : [{ kind: 'fs.read', path: target, scope: 'tree' } as const];
  });
  const doubts = [
    ...(isAll ? [] : [`it holds more than ${SEARCHED_ENTRIES_MAX} files, too many to look for secrets`]),
    ...(comesApart && splits
      ? ['names of files in it hold blanks or quotes, so that other files may be read']
      : []),
  ];
  const unseen = doubts.map((guarded): FileUse => ({ ...file, guarded }));
  // A program that only prints names of files gives no secret away.
  return [...(search.shows === 'content' ? secrets.map(below) : []), ...outside, ...unseen];
}

/** The real path of what is spelled, there or not. null for what no file can be called. */
export async function meaningOf(
  spelled: string,
  { access }: Pick<PathUse, 'access'>,
): Promise<FileUse | null> {
  const kind = access === 'writes' ? 'fs.write' : 'fs.read';
  try {
    return { kind, path: await resolvePath('/', spelled), scope: 'tree' };
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    const { failure } = error;
    // An interface of the kernel is still a path that a user's rules may name.
    if (failure.code === 'target_is_special') return { kind, path: failure.path, scope: 'tree' };
    if (failure.code === 'invalid_path') return null;
    return { kind, path: resolve(spelled), scope: 'tree', guarded: 'its target could not be determined' };
  }
}

export const HARMLESS_DEVICES = /^\/dev\/(?:null|zero|full|u?random|std(?:in|out|err)|tty|fd\/\d+)$/;

/** A symbolic link that leads nowhere is there, too. */
export const isThere = (path: string): boolean => orNull(() => lstatSync(path)) !== null;

/** Whether there is a folder for it. Right below the root there hardly ever is anything to make: `/x/` is a pattern. */
function canBeMade(path: string): boolean {
  const parent = dirname(path);
  return parent !== '/' && existsSync(parent);
}

export const isDirectory = (path: string): boolean =>
  orNull(() => statSync(path, { throwIfNoEntry: false }))?.isDirectory() ?? false;

function targetOf(link: string): string | null {
  try {
    return resolvePathSync('/', link);
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    return error.failure.code === 'target_is_special' ? error.failure.path : null;
  }
}
