import type { CommandAnalysis, CommandWord } from '@countersign/protocol';
import { UNKNOWN_PART } from '../words/word.js';

/** How words of a command line are read as paths: a `~` or `~name` at the start is a home folder. */
export type PathWords = {
  /** Whether a word, or the pattern it is, stands there as it is; a home folder does too. */
  readonly isSpelledOut: (word: CommandWord) => boolean;
  /** The path that a word may be; null if it is an option without one. */
  readonly pathIn: (word: CommandWord) => string | null;
};

export function pathWords({ text }: Pick<CommandAnalysis, 'text'>): PathWords {
  const knowsHome = !text.replaceAll(HOME_USED, '').includes('HOME');
  const plain = (word: CommandWord) => (knowsHome ? homeSpelledOut(word) : word);
  return {
    isSpelledOut: (word) => isSpelledOut(plain(word)),
    pathIn: (word) => pathIn(plain(word)),
  };
}

const HOME_USED = /\$(?:HOME(?!\w)|\{HOME\})/g;
const HOME_FIRST = /^"?\$(?:HOME(?!\w)|\{HOME\})/;

/** `$HOME/x` is `~/x`, unless the text gives the variable another value. */
function homeSpelledOut(word: CommandWord): CommandWord {
  const { outline, source } = word;
  const rest = outline.slice(UNKNOWN_PART.length);
  if (!outline.startsWith(UNKNOWN_PART) || !HOME_FIRST.test(source) || !/^(?:\/|$)/.test(rest)) return word;
  return { ...word, outline: `~${rest}`, source: `~${rest}` };
}

function isSpelledOut({ text, outline, source }: CommandWord): boolean {
  // The folder that it is in, was in before, or has on its stack.
  if (/^~[-+\d]/.test(source)) return false;
  if (text !== null || HOME.test(source)) return true;
  return !outline.includes(UNKNOWN_PART) && !outline.includes('{');
}

const HOME = /^~[\w-]*$/;

function pathIn({ outline, source }: CommandWord): string | null {
  if (HOME.test(source)) return source;
  if (outline.startsWith('-') && outline !== '-') {
    const value = outline.includes('=') ? outline.slice(outline.indexOf('=') + 1) : outline.slice(2);
    return value.includes('/') || value.startsWith('..') ? value : null;
  }
  // In quotes a `~` is an ordinary character.
  return outline.startsWith('~') && !source.startsWith('~') ? `./${outline}` : outline;
}
