import { type Dirent, readdirSync } from 'node:fs';
import { orNull, SECRET_ENDINGS, SECRET_NAMES } from '@countersign/host';
import { fits, type Token, tokensOf } from './name-pattern.js';

/** How bash reads patterns. Options that a line may set widen what they match. */
export type PatternReading = {
  /** `dotglob`: a `*` stands for hidden names as well. */
  readonly dots: boolean;
  /** `globstar`: `**` stands for directories at any depth. */
  readonly deep: boolean;
};

export const patternReading = (line: string): PatternReading => ({
  dots: line.includes('dotglob'),
  deep: line.includes('globstar'),
});

const ENTRIES_LOOKED_AT_MAX = 20_000; // patterns that people write look at far fewer

/** What a pattern stands for: paths as bash would write them, or more than are looked at. */
export type Matched = { readonly paths: readonly string[]; readonly isAll: boolean };

/** The names that match now, from `directory`. Letter case is never looked at: an option may switch it off. */
export function matchesOf(pattern: string, directory: string, reading: PatternReading): Matched {
  const budget = { left: ENTRIES_LOOKED_AT_MAX };
  const parts = pattern.split('/').filter((part) => part !== '');
  const start = pattern.startsWith('/') ? '' : directory;
  const paths = [...matchedBy(parts, start, reading, budget)];
  return { paths, isAll: budget.left > 0 };
}

type Budget = { left: number };

function* matchedBy(
  [part, ...rest]: readonly string[],
  base: string,
  reading: PatternReading,
  budget: Budget,
): Generator<string> {
  if (budget.left <= 0) return;
  if (part === undefined) {
    yield base;
    return;
  }
  if (!isWild(part)) {
    yield* matchedBy(rest, `${base}/${part}`, reading, budget);
    return;
  }
  const isDeep = reading.deep && part === '**';
  if (isDeep) yield* matchedBy(rest, base, reading, budget);
  const matches = nameMatcher(part, reading);
  for (const entry of entriesOf(base)) {
    budget.left -= 1;
    if (budget.left <= 0) return;
    if (!matches(entry.name)) continue;
    const path = `${base}/${entry.name}`;
    if (rest.length === 0) yield path;
    else if (entry.isDirectory() || entry.isSymbolicLink())
      yield* matchedBy(isDeep && !entry.isSymbolicLink() ? [part, ...rest] : rest, path, reading, budget);
  }
}

export const isWild = (part: string): boolean => /[*?[]|[@+!]\(/.test(part);

const entriesOf = (directory: string): Dirent[] =>
  orNull(() => readdirSync(directory === '' ? '/' : directory, { withFileTypes: true })) ?? [];

/** What is not understood of a pattern matches everything. */
function nameMatcher(part: string, { dots }: PatternReading): (name: string) => boolean {
  const tokens = tokensOf(part);
  if (tokens === null) return () => true;
  const seesHidden = dots || part.startsWith('.') || part.startsWith('[');
  return (name) => (seesHidden || !name.startsWith('.')) && fits(tokens, name);
}

/** What is commonly put after `.env`. */
const MORE_SECRET_NAMES = ['.env.local', '.env.production', '.env.development', '.env.test'];

/** A name has at most 255 bytes; a pattern that is longer than any made for one is not looked into. */
const TOKENS_MAX = 256;
const LITERALS_MIN = 2; // with fewer a pattern matches nearly everything, and only what matches now is known

/** `[pP]` is one letter in two spellings. */
const isNearlyFixed = ({ kind, text }: Token): boolean =>
  kind === 'literal' || (kind === 'set' && /^\[[^!^-]{1,3}\]$/.test(text));

/** Whether a pattern is made for names of secrets (`.e*`, `*.pem`), so that one may match by the time the command runs. */
export function mayMatchSecrets(pattern: string): boolean {
  return pattern.split('/').some((part) => {
    const tokens = isWild(part) ? tokensOf(part) : [];
    if (tokens === null || tokens.length === 0) return false;
    if (tokens.length > TOKENS_MAX) return true;
    const matches = (from: number, text: string): boolean => {
      const tail = tokens.slice(from);
      const literals = tail.filter(isNearlyFixed).length;
      return literals >= LITERALS_MIN && fits(tail, text);
    };
    return (
      [...SECRET_NAMES, ...MORE_SECRET_NAMES].some((name) => matches(0, name)) ||
      SECRET_ENDINGS.some((ending) => tokens.some((_, from) => matches(from, ending)))
    );
  });
}
