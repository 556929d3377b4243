import type { CommandWord, WordValue } from '@countersign/protocol';
import { UNKNOWN_PART } from '../words/word.js';
import type { Script, WordPart } from './bash.js';

/** Loop variables and what they can be. */
export type Variables = ReadonlyMap<string, readonly WordValue[]>;

/** What is known of the whole text that the word stands in. */
export type Knowledge = {
  readonly catIsPlain: boolean;
  /** The values of the loop variables in scope. */
  readonly variables: Variables;
  /** The names that a substitution prints; null where that is known only when it runs. */
  readonly listed: (script: Script | undefined) => readonly WordValue[] | null;
};

/** What a word made of these parts can be; null if that is known only when it runs. */
export function valuesOf(
  parts: readonly WordPart[],
  { variables, listed }: Pick<Knowledge, 'variables' | 'listed'>,
): readonly WordValue[] | null {
  const [first, ...others] = parts;
  if (first?.type === 'ProcessSubstitution' && others.length === 0)
    return [{ type: 'path', path: '/dev/fd/63' }];
  if (first?.type === 'CommandExpansion' && others.length === 0) return listed(first.script);
  let values: readonly WordValue[] = [{ type: 'path', path: '' }];
  for (const { part, isQuoted } of parts.flatMap(unquoted)) {
    const next = valuesOfPart(part, isQuoted, variables);
    const joined = next === null ? null : join(values, next);
    if (joined === null) return null;
    values = joined;
  }
  // A home folder is known only with the environment; an option is no path.
  return values.some(({ path }) => /^[~-]/.test(path)) ? null : values;
}

type Unquoted = { readonly part: WordPart; readonly isQuoted: boolean };

const unquoted = (part: WordPart): Unquoted[] =>
  part.type === 'DoubleQuoted'
    ? part.parts.map((each) => ({ part: each, isQuoted: true }))
    : [{ part, isQuoted: false }];

/** Letters of a name that bash neither splits nor reads as a pattern. */
const PLAIN = /^[\w./@%+,:=-]*$/;

function valuesOfPart(part: WordPart, isQuoted: boolean, variables: Variables): readonly WordValue[] | null {
  if (part.type === 'Literal' || part.type === 'SingleQuoted') return [{ type: 'path', path: part.value }];
  const name = variableOf(part);
  const values = name === null ? undefined : variables.get(name);
  if (values === undefined) return null;
  const staysWhole = isQuoted || values.every((value) => isOneWord(value));
  return staysWhole ? values : null;
}

/** Names of a listing that would come apart are asked about. */
const isOneWord = (value: WordValue): boolean =>
  value.type === 'below' ? value.splits : value.type === 'path' && PLAIN.test(value.path);

/** `$name` and `${name}`. */
function variableOf(part: WordPart): string | null {
  if (part.type !== 'SimpleExpansion' && part.type !== 'ParameterExpansion') return null;
  return /^\$(?:(\w+)|\{(\w+)\})$/.exec(part.text)?.slice(1).find(Boolean) ?? null;
}

const VALUES_MAX = 64; // as many as braces may stand for

/** Text can be added to a fixed value only: what `$f.bak` is for a pattern depends on the files that match. */
function join(before: readonly WordValue[], after: readonly WordValue[]): readonly WordValue[] | null {
  if (before.every(({ path }) => path === '')) return after;
  if (after.every(({ path }) => path === '')) return before;
  const areFixed = [...before, ...after].every(({ type }) => type === 'path');
  if (!areFixed || before.length * after.length > VALUES_MAX) return null;
  return before.flatMap(({ path }) =>
    after.map((next) => ({ type: 'path' as const, path: path + next.path })),
  );
}

/** The values that the words of `for name in …` give to its variable; null if one of them is not known. */
export function listedValues(words: readonly CommandWord[]): readonly WordValue[] | null {
  if (words.length > VALUES_MAX) return null;
  const values: WordValue[] = [];
  for (const { text, outline, source, values: known } of words) {
    if (/^[~-]/.test(source) || outline.startsWith('-')) return null;
    // What a pattern matches elsewhere, in /proc say, is another thing when it runs.
    if (text === null && outline.startsWith('/')) return null;
    if (text !== null) values.push({ type: 'path', path: text });
    else if (known !== undefined) values.push(...known);
    else if (!outline.includes(UNKNOWN_PART) && !outline.includes('{'))
      values.push({ type: 'pattern', path: outline });
    else return null;
  }
  return values;
}

/** Whether a text only ever gives a variable its values by the one loop over them. */
export function isSetByLoopOnly(name: string, text: string): boolean {
  if (/\(\(|\$\[/.test(text)) return false; // arithmetic assigns without a command
  const uses = new RegExp(`\\$(?:${name}(?!\\w)|\\{${name}\\})|(?<=\\s)-${name}(?=\\s)`, 'g');
  const mentions = text.replace(uses, ' ').match(new RegExp(`(?<!\\w)${name}(?!\\w)`, 'g'));
  return mentions?.length === 1;
}
