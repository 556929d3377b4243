import type { CommandWord } from '@countersign/protocol';
import { baseName, GIT_VALUED, MULTI_CALL } from './programs.js';

/** `might`: words that are not known could make it match. */
export type WordMatch = 'yes' | 'might' | 'no';

/** Global options that change nothing a rule is about (SEMANTICS 1.1). */
const HARMLESS_GIT_OPTIONS: readonly (string | null)[] = [
  '--no-pager',
  '-P',
  '--no-optional-locks',
  '--literal-pathspecs',
];

/** For rules that allow: the words as they are, or without harmless global options. */
export function allowedForms(words: readonly CommandWord[]): readonly (readonly CommandWord[])[] {
  if (words[0]?.text !== 'git' || !HARMLESS_GIT_OPTIONS.includes(words[1]?.text ?? null)) return [words];
  const first = words.findIndex(({ text }, index) => index > 0 && !HARMLESS_GIT_OPTIONS.includes(text));
  return first === -1 ? [words] : [words, [...words.slice(0, 1), ...words.slice(first)]];
}

/** Whether the words begin with, or are, those of a rule that allows. */
export function wordsAreAllowed(
  rule: readonly string[],
  words: readonly CommandWord[],
  type: 'prefix' | 'exact',
): boolean {
  if (rule.length === 0 || (type === 'exact' && rule.length !== words.length)) return false;
  return rule.every((word, index) => words[index]?.text === word && words[index]?.count === 'one');
}

/**
 * Whether a rule that denies or asks is about these words: the program by the
 * last part of its path, and past any options that stand before a sub-command.
 */
export function wordsAreForbidden(
  rule: readonly string[],
  words: readonly CommandWord[],
  type: 'prefix' | 'exact',
): WordMatch {
  const program = words[0]?.text;
  if (rule[0] === undefined || program === undefined || program === null) return 'no';
  const name = baseName(program);
  if (name !== baseName(rule[0])) return 'no';
  return matchArguments(rule, words, { type, name });
}

/** Looked at from the end, word by word: a rule's words against the command's, with options omitted where they may be. */
function matchArguments(
  rule: readonly string[],
  words: readonly CommandWord[],
  { type, name }: { readonly type: 'prefix' | 'exact'; readonly name: string },
): WordMatch {
  const mayLeaveOut = MULTI_CALL.has(name);
  let after = words.map(
    ({ count }): WordMatch => (type === 'prefix' ? 'yes' : count === 'any' ? 'might' : 'no'),
  );
  after.push('yes');
  for (const wanted of rule.slice(1).toReversed()) {
    const here: WordMatch[] = [];
    here[words.length] = 'no';
    for (let at = words.length - 1; at > 0; at -= 1) {
      const word = words[at];
      if (word === undefined) continue;
      const direct =
        word.count === 'any' ? possibly(word, wanted) : both(isWord(word, wanted), after[at + 1] ?? 'no');
      const leftOut =
        mayLeaveOut && isOption(word)
          ? valueWords(name, word).map((extra) => here[at + 1 + extra] ?? 'no')
          : [];
      here[at] = best([direct, ...leftOut]);
    }
    after = here;
  }
  return after[1] ?? 'no';
}

/** A word that can become several, or none: whatever follows is open. */
const possibly = ({ leading }: CommandWord, wanted: string): WordMatch =>
  leading === '' || wanted.startsWith(leading) ? 'might' : 'no';

const best = (matches: readonly WordMatch[]): WordMatch =>
  matches.includes('yes') ? 'yes' : matches.includes('might') ? 'might' : 'no';

function isWord(word: CommandWord, wanted: string): WordMatch {
  if (word.text !== null) return word.text === wanted ? 'yes' : 'no';
  return wanted.startsWith(word.leading) ? 'might' : 'no';
}

const isOption = ({ leading, text }: CommandWord): boolean =>
  leading.startsWith('-') || (text?.startsWith('+') ?? false);

/** How many words after an option may be its value. */
function valueWords(name: string, { leading }: CommandWord): readonly number[] {
  if (leading.includes('=')) return [0];
  if (name !== 'git') return [0, 1];
  const takesValue =
    GIT_VALUED.short.includes(leading.slice(1)) ||
    GIT_VALUED.long.some((option) => option === leading.slice(2));
  return takesValue ? [1] : [0];
}

const both = (a: WordMatch, b: WordMatch): WordMatch =>
  a === 'no' || b === 'no' ? 'no' : a === 'yes' && b === 'yes' ? 'yes' : 'might';
