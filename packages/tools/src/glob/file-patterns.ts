import { statSync } from 'node:fs';
import { orNull, resolvePath } from '@countersign/host';
import { ToolFailure } from '@countersign/protocol';
import { expandBraces } from '../ignore/braces.js';
import { compileGlob, type Glob } from '../ignore/glob.js';

/** What a pattern means: a tree and how the paths of the wanted files look from its top, or just one file. */
export type PatternPlace =
  | {
      readonly scope: 'tree';
      readonly path: string;
      readonly globs: readonly Glob[];
      readonly depthMax: number;
    }
  | { readonly scope: 'file'; readonly path: string };

export type PatternOptions = {
  /** The real path of the directory that relative patterns begin at. */
  readonly directory: string;
  readonly letterCase: 'matters' | 'ignored';
  /** Whether `**` means directories at any depth, or none. */
  readonly depth: 'any' | 'flat';
  /** Whether the name of a directory stands for the files in it. */
  readonly directories: 'stand for their files' | 'match nothing';
};

export const PATTERN_CHARS_MAX = 4_096; // as long as a path may be
const NAME_BYTES_MAX = 255; // what every common file system takes
const WILDCARD = /[*?[\]\\]/;

/** Where the files that patterns mean lie. Only looks at what they name without wildcards. */
export async function placesOf(
  patterns: readonly string[],
  options: PatternOptions,
): Promise<PatternPlace[]> {
  const files = new Set<string>();
  const trees = new Map<string, Alternative[]>();
  for (const pattern of patterns) {
    // A name such as `app/[id]/page.tsx` means itself where there is such a file.
    const kind = kindOf(pattern, options.directory);
    if (kind === 'file') files.add(await resolvePath(options.directory, pattern));
    else
      for (const alternative of alternativesOf(pattern, kind, options)) {
        const path = await pathOf(alternative, options);
        trees.set(path, [...(trees.get(path) ?? []), alternative]);
      }
  }
  return [
    ...[...trees].map(([path, alternatives]) => treeOf(path, alternatives, options)),
    ...[...files].map((path) => ({ scope: 'file', path }) as const),
  ];
}

function kindOf(pattern: string, directory: string): 'file' | 'directory' | null {
  if (pattern.includes('\0')) return null;
  const path = pattern.startsWith('/') ? pattern : `${directory}/${pattern}`;
  // What is wrong with the path is reported when it is resolved.
  const stats = orNull(() => statSync(path, { throwIfNoEntry: false }));
  if (stats?.isFile()) return 'file';
  return stats?.isDirectory() ? 'directory' : null;
}

/** The directories up to the first name with a wildcard, and the names that are left. */
type Alternative = { readonly base: string; readonly rest: readonly string[] };

function alternativesOf(pattern: string, kind: 'directory' | null, options: PatternOptions): Alternative[] {
  if (kind === 'directory' && options.directories === 'stand for their files')
    return [{ base: pattern, rest: ['**'] }];
  return expandBraces(pattern).map((alternative) =>
    asFarAsItIsThere(checked(split(alternative), pattern), options),
  );
}

function split(pattern: string): Alternative {
  const names = pattern.split('/').filter((name) => name !== '' && name !== '.');
  if (pattern.endsWith('/')) names.push('**'); // `src/` means what is in it
  const wildcard = names.findIndex((name) => WILDCARD.test(name));
  const cut = wildcard === -1 ? Math.max(names.length - 1, 0) : wildcard;
  const base = names.slice(0, cut).join('/');
  return { base: pattern.startsWith('/') ? `/${base}` : base || '.', rest: names.slice(cut) };
}

function checked(alternative: Alternative, pattern: string): Alternative {
  const problem = problemOf(alternative.rest);
  if (problem === null) return alternative;
  throw new ToolFailure({ code: 'invalid_path', path: pattern, problem });
}

/** What is before the first wildcard is a path, and checked as one. */
function problemOf(rest: readonly string[]): string | null {
  if (rest.includes('..')) return '".." can only come before the first wildcard, and not last';
  if (rest.some((name) => name.includes('\0'))) return 'it contains a NUL character';
  const isTooLong = rest.some((name) => !WILDCARD.test(name) && Buffer.byteLength(name) > NAME_BYTES_MAX);
  return isTooLong ? `a name in it is longer than ${NAME_BYTES_MAX} bytes` : null;
}

/** Where letter case does not matter, a directory that is not there may be there in other letters. */
function asFarAsItIsThere(alternative: Alternative, options: PatternOptions): Alternative {
  if (options.letterCase === 'matters' || kindOf(alternative.base, options.directory) !== null)
    return alternative;
  const names = alternative.base.split('/');
  const last = names.pop();
  if (last === undefined || ['', '.', '..'].includes(last)) return alternative;
  const base = names.join('/') || (alternative.base.startsWith('/') ? '/' : '.');
  return asFarAsItIsThere({ base, rest: [last, ...alternative.rest] }, options);
}

const pathOf = async ({ base }: Alternative, { directory }: PatternOptions): Promise<string> =>
  base === '.' ? directory : resolvePath(directory, base);

function treeOf(path: string, alternatives: readonly Alternative[], options: PatternOptions): PatternPlace {
  const rests = alternatives.map(({ rest }) => (options.depth === 'any' ? rest : flat(rest)));
  return {
    scope: 'tree',
    path,
    globs: rests.map((rest) => compileGlob(rest.join('/'), options.letterCase)),
    depthMax: Math.max(
      ...rests.map((rest) => (rest.includes('**') ? Number.POSITIVE_INFINITY : rest.length)),
    ),
  };
}

/** Without any depth: `**` at the end still means the files there. */
function flat(rest: readonly string[]): readonly string[] {
  const names = rest.filter((name) => name !== '**');
  return rest.at(-1) === '**' ? [...names, '*'] : names;
}
