import type { CommandConcern, CommandWord, Span, WordValue } from '@countersign/protocol';

/** In the outline: an expansion of which nothing is known. */
export const UNKNOWN_PART = '$_';

export const fixedWord = (text: string, span: Span): CommandWord => ({
  text,
  leading: text,
  count: 'one',
  outline: text,
  source: text,
  span,
});

/** Stands for the words that `xargs` and `find -exec` add. */
export const unknownWords = (span: Span, values: readonly WordValue[] | null = null): CommandWord => ({
  text: null,
  leading: '',
  count: 'any',
  outline: UNKNOWN_PART,
  source: '…',
  span,
  ...(values === null ? {} : { values }),
});

/** The same word where what it can be is known only when it runs. */
export const withoutValues = ({ text, leading, count, outline, source, span }: CommandWord): CommandWord => ({
  text,
  leading,
  count,
  outline,
  source,
  span,
});

/** The same word without its first characters, which must be fixed ones: the value in `-ofile`, `--output=file`. */
export const withoutStart = (word: CommandWord, chars: number): CommandWord => ({
  ...word,
  text: word.text?.slice(chars) ?? null,
  leading: word.leading.slice(chars),
  outline: word.outline.slice(chars),
});

export const mayBeOption = (word: CommandWord): boolean =>
  word.text === null ? word.leading === '' || word.leading.startsWith('-') : word.text.startsWith('-');

export const escape = (word: CommandWord, why: string): CommandConcern => ({
  type: 'escape',
  word: word.text,
  why,
  span: word.span,
});
