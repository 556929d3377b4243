import { oneLine } from '../json/one-line.js';

/** Sentences of ours, which name what was sent in a few words and say what was expected instead. */
const SENTENCE_CHARS_MAX = 1_000;
const SENTENCES: ReadonlySet<string> = new Set([
  'problem',
  'problems',
  'remarks',
  'why',
  'detail',
  'evidence',
  'what',
]);

/** What tools, hooks, providers and authors of rules wrote to be read, and excerpts of files. The engine keeps these within its own limit. */
const WORDS_CHARS_MAX = 100_000;
const WORDS: ReadonlySet<string> = new Set([
  'message',
  'reason',
  'text',
  'excerpt',
  'printed',
  'fix',
  'said',
  'try',
]);

/** More items of one kind are of no use to a reader. */
const ITEMS_MAX = 50;

/**
 * A failure as it is put into words and sent to clients: of what was sent (names, ids, paths, addresses, keys) it
 * repeats no more than a line, whatever its maker put into it.
 */
export function shortened<F extends object>(failure: F): F {
  if (isShort(failure, '')) return failure;
  const copy = structuredClone(failure);
  shorten(copy, '');
  return copy;
}

function isShort(value: unknown, name: string): boolean {
  if (typeof value === 'string') return shortText(value, name) === value;
  if (Array.isArray(value)) return value.length <= ITEMS_MAX && value.every((item) => isShort(item, name));
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, member]) => isShort(member, key));
}

function shorten(value: object, name: string): void {
  if (Array.isArray(value) && value.length > ITEMS_MAX) value.length = ITEMS_MAX;
  const members: readonly (readonly [string, unknown])[] = Object.entries(value);
  for (const [key, member] of members) {
    const field = Array.isArray(value) ? name : key;
    if (typeof member === 'string') Reflect.set(value, key, shortText(member, field));
    else if (typeof member === 'object' && member !== null) shorten(member, field);
  }
}

function shortText(text: string, name: string): string {
  if (WORDS.has(name)) return beginning(text, WORDS_CHARS_MAX);
  return SENTENCES.has(name) ? beginning(text, SENTENCE_CHARS_MAX) : oneLine(text);
}

const beginning = (text: string, charsMax: number): string =>
  text.length <= charsMax ? text : `${text.slice(0, charsMax - 1)}…`;
