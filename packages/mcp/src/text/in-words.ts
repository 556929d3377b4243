import { stripInvisible } from '@countersign/tools';

const WORDS_CHARS_MAX = 500; // of foreign text within a message of ours

/** Words of a server in one line that acts on no terminal. */
export function inOneLine(text: string, charsMax = WORDS_CHARS_MAX): string {
  const line = stripInvisible(text).replace(/\s+/g, ' ').trim();
  return line.length > charsMax ? `${line.slice(0, charsMax)}…` : line;
}

/** A name as it is shown where it may hold anything. */
export const shownName = (name: string): string => JSON.stringify(name.slice(0, WORDS_CHARS_MAX));

export const wordsOf = (error: unknown): string =>
  inOneLine(error instanceof Error ? error.message : String(error));
