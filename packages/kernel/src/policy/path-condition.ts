import type { FileResource } from '@countersign/protocol';
import { isFile } from './effects.js';
import { matchesGlob } from './glob.js';
import type { PathsCondition, Rule, Subject } from './rule.js';

/**
 * A rule that allows needs every file that the call touches to match, and nothing about it to be unknown. A rule that
 * denies or asks applies as soon as one file matches, or may lie in a folder that the call goes through.
 */
export function meetsPaths(
  { paths, decision }: Pick<Rule, 'paths' | 'decision'>,
  { plan, workspace, commands }: Pick<Subject, 'plan' | 'workspace' | 'commands'>,
): boolean {
  if (paths === undefined || paths === null) return true;
  const patterns = paths.patterns.map((pattern) => segmentsOf(pattern, workspace ?? null));
  const files = plan.resources.filter(isFile).filter((file) => isOfAccess(file, paths.access));
  const reaches = ({ path }: FileResource, how: Reach) =>
    patterns.some((pattern) => pattern === null || reach(pattern, path)[how]);
  // A command line always names the folder that it runs in, whether or not it reads the files there.
  const goesThrough = ({ scope, searched }: FileResource) =>
    scope === 'tree' && (commands === null || searched === true);
  const named = (plan.named ?? []).filter((file) => isOfAccess(file, paths.access));
  if (decision !== 'allow')
    return [...files, ...named].some((file) => reaches(file, goesThrough(file) ? 'enters' : 'matches'));
  const isKnown = !plan.resources.some(({ kind }) => kind === 'opaque') && !patterns.includes(null);
  return (
    isKnown &&
    files.length > 0 &&
    files.every((file) => reaches(file, file.scope === 'tree' ? 'covers' : 'matches'))
  );
}

const isOfAccess = ({ kind }: FileResource, access: PathsCondition['access']): boolean =>
  access === 'any' || kind === (access === 'read' ? 'fs.read' : 'fs.write');

type Segments = readonly string[];

/** null for a pattern below a workspace that is not known. A path without wildcards also means all that lies below it. */
function segmentsOf(pattern: string, workspace: string | null): Segments | null {
  if (!pattern.startsWith('/') && workspace === null) return null;
  const own = split(pattern).filter((segment) => segment !== '.');
  const base = pattern.startsWith('/') ? [] : split(workspace ?? '').map(literal);
  const isPlain = !own.some((segment) => /[*?]/.test(segment));
  return [...base, ...own, ...(isPlain ? ['**'] : [])];
}

const split = (path: string): string[] => path.split('/').filter((segment) => segment !== '');

/** A folder whose name holds a star stands for itself: nothing equals the marked text but the same marked text. */
const literal = (segment: string): string => `${LITERAL}${segment}`;
const LITERAL = '\0';

/** `matches`: the path itself; `covers`: it and all that can lie below it; `enters`: it, or something below it. */
type Reach = 'matches' | 'covers' | 'enters';

/** Follows all ways in which the pattern can take the segments of a path, side by side. */
function reach(pattern: Segments, path: string): { readonly [R in Reach]: boolean } {
  let states = withSkips(pattern, new Set([0]));
  for (const segment of split(path)) {
    const next = new Set<number>();
    for (const state of states) {
      const wanted = pattern[state];
      if (wanted === '**') next.add(state);
      else if (wanted !== undefined && fits(wanted, segment)) next.add(state + 1);
    }
    states = withSkips(pattern, next);
  }
  return {
    matches: states.has(pattern.length),
    covers: states.has(pattern.length) && states.has(pattern.length - 1) && pattern.at(-1) === '**',
    enters: states.size > 0,
  };
}

const fits = (wanted: string, segment: string): boolean =>
  wanted.startsWith(LITERAL) ? wanted.slice(1) === segment : matchesGlob(wanted, segment);

/** `**` may also stand for no folder at all. */
function withSkips(pattern: Segments, states: Set<number>): Set<number> {
  for (const state of states) if (pattern[state] === '**') states.add(state + 1);
  return states;
}
