import { hidden, notePiles, noteReordering, RTL, type Why, whyHidden } from './hidden-characters.js';
import { lazily } from './lazily.js';
import {
  mayLookAlike,
  noteBeyondAscii,
  noteHosts,
  noteLookAlikes,
  type Writing,
  writingOf,
} from './look-alikes.js';

/** A piece of a line: text as it is, or a code in the place of what cannot be shown as it is. */
export type Span = { readonly as: 'text' | 'code'; readonly text: string };
export type Line = readonly Span[];

/** 'name': of a tool, server or host, where nothing beyond ASCII goes unmarked. 'one line': nothing may break it. */
export type Manner = 'text' | 'one line' | 'name';

/** Receives every character that is shown as a code. */
export type Found = (character: string, why: Why) => void;

/**
 * Text from a model, a file or a server, made safe to show: what would move the cursor, change colours, reverse the
 * writing direction, pass for something else or not be seen at all is shown as its code. Line feeds and tabs stay.
 */
export const visible = (text: string): string => visibleLines(text).map(textOf).join('\n');

/** The same for what must stay on its line, such as a file name: a line feed in it could start a line that passes for ours. */
export const visibleLine = (text: string): string => textOf(lineOf(text, 'one line'));

/** JSON that says the same without a character that could act on a terminal: its strings are escaped a little more. */
export const visibleJson = (json: string): string =>
  PLAIN.test(json)
    ? json
    : json.replace(new RegExp(hidden(), 'gu'), (character) =>
        character.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
      );

export const textOf = (line: Line): string => line.map(({ text }) => text).join('');

export function visibleLines(text: string, found: Found = () => {}): readonly Line[] {
  const writing = PLAIN.test(text) ? NONE : writingOf(text);
  return text.split('\n').map((line) => spansOf(line, 'text', writing, found));
}

export const lineOf = (text: string, manner: Exclude<Manner, 'text'>, found: Found = () => {}): Line =>
  spansOf(text, manner, writingOf(text), found);

const PLAIN = /^[\x20-\x7e\n\t]*$/;
const PLAIN_LINE = /^[\x20-\x7e]*$/;
const NONE: Writing = { cyrillic: false, greek: false };

const suspect = lazily(
  () => new RegExp(`${hidden().source}|${mayLookAlike().source}|[\\p{M}${RTL}]|://|@`, 'u'),
);
// Some pictures are made of several characters, with joiners between them that are hidden anywhere else. (The list of
// all that are in use, \p{RGI_Emoji}, takes 15 ms to load.)
const picture = lazily(
  () =>
    /[0-9#*]\ufe0f\u20e3|\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?(\u200d\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)*/uy,
);

function spansOf(line: string, manner: Manner, writing: Writing, found: Found): Line {
  if (PLAIN_LINE.test(line)) return [{ as: 'text', text: line }];
  if (manner !== 'name' && !suspect().test(line)) return [{ as: 'text', text: line }];
  const noted = new Map<number, Why>();
  const note = (index: number, why: Why) => {
    if (!noted.has(index)) noted.set(index, why);
  };
  notePiles(line, note);
  noteLookAlikes(line, writing, note);
  noteHosts(line, note);
  noteReordering(line, note);
  if (manner === 'name') noteBeyondAscii(line, 0, note);
  return cut(line, manner, noted, found);
}

/** What may need a code, or begins a picture; everything between is plain. */
const ODD = /[^ -~]|[0-9#*](?=\ufe0f)/gu;

function cut(line: string, manner: Manner, noted: ReadonlyMap<number, Why>, found: Found): Line {
  const spans: Span[] = [];
  let textFrom = 0;
  let looked = 0;
  for (const { 0: character, index } of line.matchAll(ODD)) {
    if (index < looked) continue;
    const drawn = manner === 'name' ? null : pictureAt(line, index);
    looked = index + (drawn ?? character).length;
    const why = drawn === null ? whyCoded(character, index) : undefined;
    if (why === undefined) continue;
    if (index > textFrom) spans.push({ as: 'text', text: line.slice(textFrom, index) });
    spans.push({ as: 'code', text: codeOf(character) });
    found(character, why);
    textFrom = looked;
  }
  if (textFrom < line.length) spans.push({ as: 'text', text: line.slice(textFrom) });
  return spans;

  function whyCoded(character: string, index: number): Why | undefined {
    if (character === '\t' && manner === 'text') return undefined;
    if (character === '\r' && manner === 'text' && index === line.length - 1) return 'line ending';
    if (hidden().test(character) && !isBlankAmongEastAsian(line, index)) return whyHidden(character);
    // A mark would go onto the code before it.
    if (index > 0 && index === textFrom && isMark(character)) return 'pile';
    return noted.get(index);
  }
}

const isMark = (character: string): boolean => /\p{M}/u.test(character);

const FIRST_PICTURE = 0xa9; // ©, but for digits with a selector

function pictureAt(line: string, index: number): string | null {
  if (line.charCodeAt(index) < FIRST_PICTURE && line[index + 1] !== '\ufe0f') return null;
  const pattern = picture();
  pattern.lastIndex = index;
  return pattern.exec(line)?.[0] ?? null;
}

/** The wide blank of Chinese and Japanese, where it is used as one. */
const isBlankAmongEastAsian = (line: string, index: number): boolean =>
  line[index] === '\u3000' &&
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3001-\u303f\uff01-\uff60]\u3000/u.test(
    line.slice(Math.max(0, index - 2), index + 1),
  );

function codeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code < 0xa0 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
}
