import type { Span } from './span.js';

/** One argument of a command, as far as it is known before the command runs. */
export type Word = {
  /** What the program is given; null when that is known only when it runs. */
  readonly text: string | null;
  /** How every word it can become begins; '' when that is not known. */
  readonly leading: string;
  /** Whether it is one word, or can become several or none (globs, braces, unquoted variables). */
  readonly count: 'one' | 'any';
  /** `text`, with a variable in the place of each part that is not known. */
  readonly outline: string;
  /** As written. */
  readonly source: string;
  readonly span: Span;
};

/** In the outline: an expansion of which nothing is known. */
export const UNKNOWN_PART = '$_';

export const fixedWord = (text: string, span: Span): Word => ({
  text,
  leading: text,
  count: 'one',
  outline: text,
  source: text,
  span,
});

/** Stands for the words that `xargs` and `find -exec` add. */
export const unknownWords = (span: Span): Word => ({
  text: null,
  leading: '',
  count: 'any',
  outline: UNKNOWN_PART,
  source: '…',
  span,
});

/** The same word without its first characters, which must be fixed ones: the value in `-ofile`, `--output=file`. */
export const withoutStart = (word: Word, chars: number): Word => ({
  ...word,
  text: word.text?.slice(chars) ?? null,
  leading: word.leading.slice(chars),
  outline: word.outline.slice(chars),
});

export const mayBeOption = (word: Word): boolean =>
  word.text === null ? word.leading === '' || word.leading.startsWith('-') : word.text.startsWith('-');

export const baseName = (program: string): string => program.slice(program.lastIndexOf('/') + 1);
