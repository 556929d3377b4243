import type { CommandWord } from '@countersign/protocol';
import { mayBeOption, withoutStart } from './word.js';

/** How a program reads its arguments, as far as it matters here. */
export type Grammar = {
  /** Short options that take a value: the rest of the word, or the next word. */
  readonly valued?: string;
  /** Short options whose value, if there is one, is the rest of the word (`sed -i.bak`). */
  readonly attached?: string;
  /** Long options that take the next word as their value when there is no `=`. */
  readonly valuedLong?: readonly string[];
  /** Whether the first word that is no option ends the options (`sudo`), or options may follow it (GNU tools). */
  readonly stopsAtOperand?: true;
};

/** One argument, distinguished. `index` is that of the word among the words of the command. */
export type Token =
  /** `-o` or `--output`, without the value. A cluster such as `-xzf` is several of them. */
  | {
      readonly type: 'option';
      readonly name: string;
      readonly value: CommandWord | null;
      readonly word: CommandWord;
      readonly index: number;
    }
  | { readonly type: 'operand'; readonly word: CommandWord; readonly index: number }
  /** Not fixed, and nothing keeps it from being an option. */
  | { readonly type: 'unknown'; readonly word: CommandWord; readonly index: number };

export function readArguments(words: readonly CommandWord[], grammar: Grammar, from = 1): Token[] {
  const tokens: Token[] = [];
  for (let index = from; index < words.length; index += 1) {
    const word = words[index];
    if (word === undefined) break;
    if (word.text === '--') {
      for (const [offset, rest] of words.slice(index + 1).entries()) {
        tokens.push({ type: 'operand', word: rest, index: index + 1 + offset });
      }
      break;
    }
    if (!mayBeOption(word) || word.text === '-') {
      tokens.push({ type: 'operand', word, index });
      if (grammar.stopsAtOperand) break;
      continue;
    }
    const read = word.leading.startsWith('--')
      ? readLong(word, index, words, grammar)
      : readCluster(word, index, words, grammar);
    tokens.push(...read.tokens);
    if (read.tookNext) index += 1;
  }
  return tokens;
}

/** The values that the options of these names are given. */
export const optionValues = (tokens: readonly Token[], name: RegExp): CommandWord[] =>
  tokens.flatMap((token) =>
    token.type === 'option' && token.value !== null && name.test(token.name) ? [token.value] : [],
  );

export const hasOption = (tokens: readonly Token[], name: RegExp): boolean =>
  tokens.some((token) => token.type === 'option' && name.test(token.name));

/** Whether the value of an option can become several words: then it is not known what the others are. */
export const mayBeSplit = (token: Token): boolean => token.type === 'option' && token.value?.count === 'any';

type Read = { readonly tokens: readonly Token[]; readonly tookNext: boolean };

function readLong(word: CommandWord, index: number, words: readonly CommandWord[], grammar: Grammar): Read {
  const sign = word.leading.indexOf('=');
  if (sign === -1 && word.text === null)
    return { tokens: [{ type: 'unknown', word, index }], tookNext: false };
  const name = sign === -1 ? word.leading : word.leading.slice(0, sign);
  const takesNext = sign === -1 && isAbbreviated(name, grammar.valuedLong ?? []);
  const value = takesNext ? (words[index + 1] ?? null) : sign === -1 ? null : withoutStart(word, sign + 1);
  return { tokens: [{ type: 'option', name, value, word, index }], tookNext: takesNext };
}

function readCluster(
  word: CommandWord,
  index: number,
  words: readonly CommandWord[],
  grammar: Grammar,
): Read {
  const tokens: Token[] = [];
  const letters = word.leading;
  for (let at = 1; at < letters.length; at += 1) {
    const letter = letters[at] ?? '';
    const takesRest = grammar.attached?.includes(letter) ?? false;
    if (!takesRest && !grammar.valued?.includes(letter)) {
      tokens.push({ type: 'option', name: `-${letter}`, value: null, word, index });
      continue;
    }
    const isAttached = takesRest || at + 1 < letters.length || word.text === null;
    const value = isAttached ? withoutStart(word, at + 1) : (words[index + 1] ?? null);
    tokens.push({ type: 'option', name: `-${letter}`, value, word, index });
    return { tokens, tookNext: !isAttached };
  }
  if (word.text === null) tokens.push({ type: 'unknown', word, index });
  return { tokens, tookNext: false };
}

/** Whether a long option is, or may be short for, one of these: GNU programs accept any beginning that is not ambiguous. */
export const isAbbreviated = (option: string, names: readonly string[]): boolean =>
  option.length > 2 && names.some((name) => `--${name}`.startsWith(option));

/** For tables: names between blanks. */
export const names = (text: string): readonly string[] => text.split(' ');
