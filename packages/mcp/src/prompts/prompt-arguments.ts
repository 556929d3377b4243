import { inOneLine } from '../text/in-words.js';
import type { McpPrompt, PromptArgument } from './read-prompts.js';

export type ReadArguments =
  | { readonly ok: true; readonly args: { readonly [name: string]: string } }
  | { readonly ok: false; readonly problem: string };

/** What a prompt takes, as it is shown beside its command. */
export const argumentsText = ({ args }: McpPrompt): string =>
  args.map(({ name, isRequired }) => (isRequired ? shown(name) : `[${shown(name)}]`)).join(' ');

/**
 * What was typed after the command: each word goes to the next argument, `--name=value` to the one of that name, and
 * the last argument takes all that is left. Quotes keep a word together.
 */
export function readArguments({ args }: McpPrompt, typed: string): ReadArguments {
  const words = wordsOf(typed);
  const given = new Map<string, string>();
  for (const { name, value } of words) {
    if (name === null) continue;
    if (!args.some((each) => each.name === name)) return wrong(`takes no argument "${shown(name)}"`);
    if (given.has(name)) return wrong(`is given "${shown(name)}" twice`);
    given.set(name, value);
  }
  const places = args.filter(({ name }) => !given.has(name));
  const inOrder = words.filter(({ name }) => name === null);
  const last = places.at(-1);
  if (inOrder.length > 0 && !last) return wrong(args.length === 0 ? 'takes no arguments' : 'takes no more');
  for (const [at, { name }] of places.entries()) {
    const word = inOrder[at];
    if (!word) break;
    const isTheRest = at === places.length - 1 && inOrder.length > places.length;
    given.set(name, isTheRest ? restFrom(words.slice(words.indexOf(word)), typed) : word.value);
  }
  const missing = args.filter(({ name, isRequired }) => isRequired && !given.get(name));
  return missing.length === 0 ? { ok: true, args: Object.fromEntries(given) } : wrong(needs(missing));
}

const wrong = (problem: string): ReadArguments => ({ ok: false, problem });

const needs = (missing: readonly PromptArgument[]): string =>
  `needs ${missing.map(({ name, description }) => `"${shown(name)}"${description && ` (${description})`}`).join(' and ')}`;

type Word = { readonly value: string; readonly from: number } & (
  | { readonly name: string }
  /** It goes where it stands. */
  | { readonly name: null }
);

// Quotes may stand anywhere in a word, as in a shell; one that is never closed is a letter like any other.
const WORD = /(?:"(?:\\.|[^"\\])*"|'[^']*'|\\[\s\S]|\S)+/g;
const PIECE = /"((?:\\.|[^"\\])*)"|'([^']*)'|\\([\s\S])|(\S)/g;
const NAMED = /^--([^\s"'\\=]+)=/;

const wordsOf = (typed: string): readonly Word[] =>
  Array.from(typed.matchAll(WORD), ({ 0: raw, index: from }) => {
    const [prefix = '', name = null] = NAMED.exec(raw) ?? [];
    return { name, value: unquoted(raw.slice(prefix.length)), from };
  });

const unquoted = (raw: string): string =>
  raw.replace(
    PIECE,
    (_, double?: string, single?: string, escaped?: string, plain?: string) =>
      double?.replace(/\\(["\\])/g, '$1') ?? single ?? escaped ?? plain ?? '',
  );

/** As it was typed, lines and all, unless a named one stands in between. */
const restFrom = (words: readonly Word[], typed: string): string =>
  words.every(({ name }) => name === null)
    ? typed.slice(words[0]?.from).trimEnd()
    : words.flatMap(({ name, value }) => (name === null ? value : [])).join(' ');

const shown = (name: string): string => inOneLine(name, 60);
