import { isBlank } from './content-lines.js';
import { lineNumberAt } from './excerpts.js';
import { type Differing, findPlaces, type Search } from './find-places.js';
import type { TextChange } from './intended-lines.js';
import { occurrences, type Span } from './occurrences.js';

const LISTED_MAX = 5; // beyond it the number is enough
const QUOTED_CHARS_MAX = 120;

/** `line 3`, `lines 3–5`, `lines 3, 9 and 20` */
export function whereInWords(text: string, spans: readonly Span[]): string {
  const [only] = spans;
  if (only && spans.length === 1) {
    const { start, end } = only;
    const first = lineNumberAt(text, start);
    // Counted from there on: what comes before it may be long.
    const last = first + lineNumberAt(text.slice(start, end), Math.max(0, end - 1 - start)) - 1;
    return first === last ? `line ${first}` : `lines ${first}–${last}`;
  }
  const listed = spans.slice(0, LISTED_MAX).map(({ start }) => String(lineNumberAt(text, start)));
  const left = spans.length - listed.length;
  const last = left > 0 ? `${left} more` : (listed.pop() ?? '');
  return `lines ${listed.join(', ')} and ${last}`;
}

export function matchInWords(match: Search['match'], count: number): string {
  const replaced = count === 1 ? 'replaced 1 match' : `replaced ${count} matches`;
  switch (match) {
    case 'exact':
    case 'none':
      return count === 1 ? 'replaced 1 exact match' : `replaced ${count} exact matches`;
    case 'flexible':
      return `${replaced} found by ignoring white space`;
    case 'fuzzy':
      return `${replaced} found by similarity`;
  }
}

/** What is worth knowing about a match that is not exact. */
export function remarksOn(search: Search, where: string): string[] {
  switch (search.match) {
    case 'exact':
    case 'none':
      return [];
    case 'flexible':
      return [
        `old_string does not occur exactly; with other white space it does, in ${where}. Unchanged lines keep the indentation of the file, and new lines are indented to match.`,
      ];
    case 'fuzzy':
      return [
        `old_string does not occur exactly; ${where} is the only similar text.`,
        ...differencesInWords(search.differing),
      ];
  }
}

function differencesInWords(differing: readonly Differing[]): string[] {
  const shown = differing
    .slice(0, LISTED_MAX)
    .map(({ line, inFile, sent }) => `Line ${line} is ${quoted(inFile)}, not ${quoted(sent)}.`);
  const left = differing.length - shown.length;
  return left > 0 ? [...shown, `${left} more lines differ.`] : shown;
}

const quoted = (text: string): string =>
  JSON.stringify(text.length > QUOTED_CHARS_MAX ? `${text.slice(0, QUOTED_CHARS_MAX)}…` : text);

/** What may have gone wrong when a text is nowhere to be found. Only reported: no edit is based on a guess. */
export function whyNotFound(text: string, { oldText, newText }: TextChange): string[] {
  const remarks: string[] = [];
  const unescaped = withoutEscapes(oldText);
  const meant = unescaped === oldText ? null : findPlaces(text, { oldText: unescaped, newText: '' });
  if (meant && meant.match !== 'none')
    remarks.push(
      `It would be found in ${whereInWords(text, meant.places)} if its escapes (such as \\n or \\") were the characters themselves: send those instead.`,
    );
  const done = isBlank(newText)
    ? []
    : occurrences(text, newText).spans.filter((span) => isWholeLines(text, span));
  if (done.length > 0)
    remarks.push(
      `new_string is already there, in ${whereInWords(text, done)}: this edit may have been made before.`,
    );
  return remarks;
}

const isWholeLines = (text: string, { start, end }: Span): boolean =>
  isBlank(text.slice(start === 0 ? 0 : text.lastIndexOf('\n', start - 1) + 1, start)) &&
  (end === text.length || text[end] === '\n' || text[end - 1] === '\n');

const ESCAPED: { readonly [letter: string]: string } = { n: '\n', t: '\t', r: '\r' };

const withoutEscapes = (text: string): string =>
  text
    .replaceAll(/\\([ntr"'`\\])/gu, (_, letter: string) => ESCAPED[letter] ?? letter)
    .replaceAll('\r\n', '\n');
