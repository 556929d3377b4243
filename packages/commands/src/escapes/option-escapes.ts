import type { CommandConcern, CommandUnit, CommandWord } from '@countersign/protocol';
import { type Grammar, readArguments, type Token } from '../words/options.js';

/** Finds what makes a program do more than its kind (SEMANTICS 1.3, 5c). */
export type EscapeFinder = (
  words: readonly CommandWord[],
  input: CommandUnit['input'],
) => readonly CommandConcern[];

/**
 * Options that do, by name (`-o`, `--output`), each with the reason. null: an option of its own that does
 * not, although it is also the beginning of one that does.
 */
export type EscapeOptions = { readonly [option: string]: string | null };

export const escape = (word: CommandWord, why: string): CommandConcern => ({
  type: 'escape',
  word: word.text,
  why,
  span: word.span,
});

/** For programs where the options alone tell. */
export const byOptions =
  (options: EscapeOptions, grammar: Grammar = {}): EscapeFinder =>
  (words) =>
    optionEscapes(readArguments(words, grammar), options);

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
  const names = word.leading.startsWith('--')
    ? [word.leading.replace(/=.*/s, '')]
    : word.leading
        .slice(1)
        .split('')
        .map((letter) => `-${letter}`);
  const why = names.map((name) => reasonFor(name, options)).find((each) => each !== null);
  return why == null ? [] : [escape(word, why)];
}

/** For programs where a word that is not known could be an option that matters. */
export const unknownEscapes = (tokens: readonly Token[]): CommandConcern[] =>
  tokens.flatMap(({ type, word }) =>
    type === 'unknown' ? [escape(word, `may be an option: ${word.source}`)] : [],
  );

function reasonFor(name: string, options: EscapeOptions): string | null {
  if (Object.hasOwn(options, name)) return options[name] ?? null;
  if (!name.startsWith('--') || name.length < 3) return null;
  // GNU programs accept any beginning of a long option that is not ambiguous.
  const whole = Object.keys(options).find((option) => option.startsWith(name));
  return whole === undefined ? null : (options[whole] ?? null);
}

export const RUNS_PROGRAM = 'runs another program';
export const WRITES_FILE = 'writes a file';
export const DELETES_FILES = 'deletes files';
export const LOADS_CODE = 'loads code from a file';
export const OTHER_CONFIGURATION = 'reads its configuration from another place';
export const OTHER_HOST = 'reaches a host that it names';
export const NAMES_FROM_FILE = 'reads the files that another file names';
export const OTHER_PLACE = 'works in another folder, with the configuration found there';
