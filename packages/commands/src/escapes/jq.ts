import type { CommandWord } from '@countersign/protocol';
import { escape } from '../words/word.js';
import { type EscapeFinder, LOADS_CODE, OTHER_CONFIGURATION } from './option-escapes.js';

/** How many words follow an option of jq as its value. */
const VALUES: { readonly [option: string]: number } = {
  '--arg': 2,
  '--argjson': 2,
  '--slurpfile': 2,
  '--rawfile': 2,
  '--argfile': 2,
  '--indent': 1,
  '-L': 1,
  '--library-path': 1,
};

/** The words of a call of jq by what they are to it. */
export type JqWords = {
  readonly filter: CommandWord | null;
  /** What it reads: values of `--slurpfile` and its like, and what follows the filter. */
  readonly files: readonly CommandWord[];
  readonly options: readonly CommandWord[];
};

export function jqWords(words: readonly CommandWord[]): JqWords {
  const files: CommandWord[] = [];
  const options: CommandWord[] = [];
  let filter: CommandWord | null = null;
  for (let index = 1; index < words.length; index += 1) {
    const word = words[index];
    if (word === undefined) break;
    const { text } = word;
    if (text !== null && /^-./.test(text)) {
      options.push(word);
      const values = words.slice(index + 1, index + 1 + (VALUES[text] ?? 0));
      if (/^--(?:slurp|raw|arg)file$/.test(text)) files.push(...values.slice(1));
      index += values.length;
    } else if (filter === null) filter = word;
    else files.push(word);
  }
  return { filter, files, options };
}

/** Modules are read from wherever the filter says. */
const MODULE = /\b(?:import|include)\s*"/;

export const jqEscapes: EscapeFinder = (words) => {
  const { filter, options } = jqWords(words);
  return [
    ...options.flatMap((word) => {
      const text = word.text ?? '';
      if (/^-[a-zA-Z]*f|^--(?:from-file|run-tests)/.test(text)) return [escape(word, LOADS_CODE)];
      return /^-[a-zA-Z]*L|^--library-path/.test(text) ? [escape(word, OTHER_CONFIGURATION)] : [];
    }),
    ...(filter !== null && MODULE.test(filter.outline) ? [escape(filter, LOADS_CODE)] : []),
  ];
};
