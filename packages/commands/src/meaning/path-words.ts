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
  const knowsHere = !/PWD|\b(?:cd|pushd|popd)\b/.test(text.replaceAll(HERE_USED, ''));
  const plain = (word: CommandWord) => {
    const here = knowsHere ? spelledOut(word, HERE_FIRST, '.') : word;
    return knowsHome ? spelledOut(here, HOME_FIRST, '~') : here;
  };
  return {
    isSpelledOut: (word) => isSpelledOut(plain(word)),
    pathIn: (word) => pathIn(plain(word)),
  };
}

const HOME_USED = /\$(?:HOME(?!\w)|\{HOME\})/g;
const HOME_FIRST = /^"?\$(?:HOME(?!\w)|\{HOME\})/;

// Without quotes a folder whose name holds blanks would become several words.
const HERE_USED = /"\$(?:PWD(?!\w)|\{PWD\})/g;
const HERE_FIRST = /^"\$(?:PWD(?!\w)|\{PWD\})/;

/** `$HOME/x` is `~/x` and `"$PWD/x"` is `./x`, unless the text gives the variable another value. */
function spelledOut(word: CommandWord, variable: RegExp, path: '~' | '.'): CommandWord {
  const { outline, source } = word;
  const rest = outline.slice(UNKNOWN_PART.length);
  if (!outline.startsWith(UNKNOWN_PART) || !variable.test(source) || !/^(?:\/|$)/.test(rest)) return word;
  return { ...word, outline: path + rest, source: path + rest };
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
