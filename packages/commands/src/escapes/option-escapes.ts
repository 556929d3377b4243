import type { CommandConcern, CommandUnit, CommandWord } from '@countersign/protocol';
import { type Grammar, names, readArguments, type Token } from '../words/options.js';
import { escape } from '../words/word.js';

/** Finds the words that make a program do more than programs of its kind (SEMANTICS 1.3, 5c). */
export type EscapeFinder = (
  words: readonly CommandWord[],
  input: CommandUnit['input'],
) => readonly CommandConcern[];

/** The reason by the option's name (`-o`, `--output`); null for options that are no escapes. */
export type EscapeOptions = ReadonlyMap<string, string | null>;

/** The names of options, separated by blanks, by reason. */
export type OptionsByReason = { readonly [why: string]: string };

/** In place of a reason: options that are no escapes, although their names are also the beginning of one that is. */
export const HARMLESS = 'harmless';

/** Abbreviations mean the first option of the table that begins so. */
export const escapeOptions = (byReason: OptionsByReason): EscapeOptions =>
  new Map(
    Object.entries(byReason).flatMap(([why, options]) =>
      names(options).map((option): [string, string | null] => [option, why === HARMLESS ? null : why]),
    ),
  );

/** For programs where only options can be escapes. */
export function byOptions(byReason: OptionsByReason, grammar: Grammar = {}): EscapeFinder {
  const options = escapeOptions(byReason);
  return (words) => optionEscapes(readArguments(words, grammar), options);
}

/** For programs whose options are not separated like those of others: the first pattern that a word matches counts. */
export const byPatterns =
  (patterns: readonly (readonly [RegExp, string])[]): EscapeFinder =>
  (words) =>
    words.slice(1).flatMap((word) => {
      const why = patterns.find(([pattern]) => pattern.test(word.leading))?.[1];
      return why === undefined ? [] : [escape(word, why)];
    });

export function optionEscapes(tokens: readonly Token[], options: EscapeOptions): CommandConcern[] {
  return tokens.flatMap((token) => {
    if (token.type === 'operand') return afterDashes(token.word, options);
    // A word such as `-$x` is an option, whichever it is.
    if (token.type === 'unknown')
      return token.word.leading === '' ? [] : [escape(token.word, 'gives an option that is not known')];
    const why = reasonFor(token.name, options);
    return why === null ? [] : [escape(token.word, why)];
  });
}

/**
 * `--` ends the options only where no option before it takes it for its value (`tar tf -- -I x`, `git log -L -- …`).
 * Which options do is not known for every program, so what follows counts as well.
 */
function afterDashes(word: CommandWord, options: EscapeOptions): CommandConcern[] {
  if (!/^-./.test(word.leading)) return [];
  const given = word.leading.startsWith('--')
    ? [word.leading.replace(/=.*/s, '')]
    : Array.from(word.leading.slice(1), (letter) => `-${letter}`);
  const [why] = given.flatMap((name) => reasonFor(name, options) ?? []);
  return why === undefined ? [] : [escape(word, why)];
}

/** For programs where a word that is not known could be an option that matters. */
export const unknownEscapes = (tokens: readonly Token[]): CommandConcern[] =>
  tokens.flatMap(({ type, word }) =>
    type === 'unknown' ? [escape(word, `may be an option: ${word.source}`)] : [],
  );

function reasonFor(name: string, options: EscapeOptions): string | null {
  const isLong = name.startsWith('--') && name.length > 2;
  if (options.has(name) || !isLong) return options.get(name) ?? null;
  // GNU programs accept any beginning of a long option that is not ambiguous.
  return [...options].find(([option]) => option.startsWith(name))?.[1] ?? null;
}

export const RUNS_PROGRAM = 'runs another program';
export const WRITES_FILE = 'writes a file';
export const DELETES_FILES = 'deletes files';
export const LOADS_CODE = 'loads code from a file';
export const OTHER_CONFIGURATION = 'reads its configuration from another place';
export const OTHER_HOST = 'reaches a host that it names';
export const NAMES_FROM_FILE = 'reads the files that another file names';
export const OTHER_PLACE = 'works in another folder, with the configuration found there';
