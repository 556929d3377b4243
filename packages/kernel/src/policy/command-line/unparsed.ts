import type { CommandRule } from './command-rule.js';
import { baseName } from './programs.js';

/** Whether a text that cannot be read names what a rule denies: its first word, as a word, quoted or not. */
export function namesDenied(text: string, { condition }: CommandRule): boolean {
  if (condition === null) return true;
  const unquoted = text.replace(/\\\n|['"\\]/g, '');
  if (condition.type === 'regex') {
    return unquoted.split(/[\n;&|(){}`]|\$\(/).some((part) => condition.pattern.test(part.trim()));
  }
  return condition.words.some(
    ([first]) =>
      first !== undefined && (holdsWord(text, baseName(first)) || holdsWord(unquoted, baseName(first))),
  );
}

function holdsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (!isPartOfWord(text[at - 1]) && !isPartOfWord(text[at + word.length])) return true;
  }
  return false;
}

const isPartOfWord = (character: string | undefined): boolean =>
  character !== undefined && /[\w-]/.test(character);
