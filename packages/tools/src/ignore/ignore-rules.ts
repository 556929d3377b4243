import { compileGlob, type Glob } from './glob.js';

/** One pattern, as in a line of an ignore file. */
export type IgnoreRule = {
  readonly glob: Glob;
  /** Whether the pattern names a path from the ignore file's directory, or just a name at any depth. */
  readonly on: 'path' | 'name';
  readonly onlyDirectories: boolean;
  readonly verdict: 'ignore' | 'keep';
};

// Matching takes rules times pattern times name: what only tidies a listing may not make it slow.
const RULES_MAX = 1_000;
export const PATTERN_CHARS_MAX = 200;

export function parseIgnoreFile(text: string): IgnoreRule[] {
  return text
    .split('\n')
    .map(parseLine)
    .filter((rule) => rule !== null)
    .slice(0, RULES_MAX);
}

function parseLine(line: string): IgnoreRule | null {
  if (line.length > PATTERN_CHARS_MAX || line.startsWith('#')) return null;
  const pattern = withoutTrailingBlanks(line);
  return pattern.startsWith('!') ? ignoreRule(pattern.slice(1), 'keep') : ignoreRule(pattern, 'ignore');
}

/** A blank at the end counts only if a backslash keeps it. */
function withoutTrailingBlanks(line: string): string {
  const pattern = line.trimEnd();
  return pattern.endsWith('\\') && pattern.length < line.length ? `${pattern} ` : pattern;
}

export function ignoreRule(pattern: string, verdict: 'ignore' | 'keep'): IgnoreRule | null {
  const onlyDirectories = pattern.endsWith('/');
  const path = onlyDirectories ? pattern.slice(0, -1) : pattern;
  const fromHere = path.startsWith('/') ? path.slice(1) : path;
  if (fromHere === '') return null;
  return { glob: compileGlob(fromHere), on: path.includes('/') ? 'path' : 'name', onlyDirectories, verdict };
}

/**
 * The rules of one ignore file, with the way from its directory to the one that is looked at: `a/b/`, or nothing if it
 * is that one.
 */
export type IgnoreFile = { readonly rules: readonly IgnoreRule[]; readonly below: string };

/** Of files ordered from the outermost to the innermost, the last line that matches decides. */
export function isIgnored(files: readonly IgnoreFile[], name: string, type: 'directory' | 'other'): boolean {
  for (let at = files.length - 1; at >= 0; at -= 1) {
    const file = files[at];
    const decisive = file === undefined ? undefined : lastMatching(file, name, type);
    if (decisive !== undefined) return decisive.verdict === 'ignore';
  }
  return false;
}

function lastMatching(
  { rules, below }: IgnoreFile,
  name: string,
  type: 'directory' | 'other',
): IgnoreRule | undefined {
  const path = below + name;
  // A plain loop: this is asked for every file of a tree.
  for (let at = rules.length - 1; at >= 0; at -= 1) {
    const rule = rules[at];
    if (rule === undefined || (rule.onlyDirectories && type === 'other')) continue;
    if (rule.glob.matches(rule.on === 'path' ? path : name)) return rule;
  }
  return undefined;
}
