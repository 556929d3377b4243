import type { Key } from './keys.js';

/** A text being typed, and the place in it, counted in UTF-16, where the next character goes. */
export type TextBuffer = { readonly text: string; readonly cursor: number };

export const EMPTY: TextBuffer = { text: '', cursor: 0 };
export const bufferOf = (text: string): TextBuffer => ({ text, cursor: text.length });

export function insert({ text, cursor }: TextBuffer, added: string): TextBuffer {
  return { text: text.slice(0, cursor) + added + text.slice(cursor), cursor: cursor + added.length };
}

/** What a key does to a text; null if it does nothing. The keys are those of shells. */
export function edited(buffer: TextBuffer, key: Key): TextBuffer | null {
  const { text, cursor } = buffer;
  const to = (place: number): TextBuffer => ({ text, cursor: place });
  const without = (from: number, end: number): TextBuffer => ({
    text: text.slice(0, from) + text.slice(end),
    cursor: from,
  });
  switch (key.name) {
    case 'text':
      if (key.ctrl) return withControl(key.text);
      if (key.alt) return withAlt(key.text);
      return insert(buffer, key.text);
    case 'paste':
      return insert(buffer, key.text);
    case 'backspace':
      if (cursor === 0) return null;
      return without(key.alt || key.ctrl ? wordBefore(buffer) : before(buffer), cursor);
    case 'delete':
      return cursor < text.length ? without(cursor, after(buffer)) : null;
    case 'left':
      return to(key.alt || key.ctrl ? wordBefore(buffer) : before(buffer));
    case 'right':
      return to(key.alt || key.ctrl ? wordAfter(buffer) : after(buffer));
    case 'home':
      return to(lineStart(buffer));
    case 'end':
      return to(lineEnd(buffer));
    default:
      return null;
  }

  function withControl(letter: string): TextBuffer | null {
    const name = CONTROL_KEYS[letter];
    if (name) return edited(buffer, { ...key, name, ctrl: false, alt: false });
    if (letter === 'w') return without(wordBefore(buffer), cursor);
    if (letter === 'u') return without(lineStart(buffer), cursor);
    return letter === 'k' ? without(cursor, lineEnd(buffer)) : null;
  }

  function withAlt(letter: string): TextBuffer | null {
    if (letter === 'b') return to(wordBefore(buffer));
    if (letter === 'f') return to(wordAfter(buffer));
    return letter === 'd' ? without(cursor, wordAfter(buffer)) : null;
  }
}

/** Letters that with Control do what another key does. */
const CONTROL_KEYS: { readonly [letter: string]: Key['name'] } = {
  a: 'home',
  e: 'end',
  b: 'left',
  f: 'right',
  h: 'backspace',
};

/** A line up (-1) or down (1), in about the same column; null at the first or last. */
export function movedByLine(buffer: TextBuffer, by: -1 | 1): TextBuffer | null {
  const { text } = buffer;
  const start = lineStart(buffer);
  const column = buffer.cursor - start;
  if (by === -1) {
    if (start === 0) return null;
    const from = lineStart({ text, cursor: start - 1 });
    return { text, cursor: Math.min(from + column, start - 1) };
  }
  const end = lineEnd(buffer);
  if (end === text.length) return null;
  return { text, cursor: Math.min(end + 1 + column, lineEnd({ text, cursor: end + 1 })) };
}

const lineStart = ({ text, cursor }: TextBuffer): number => text.lastIndexOf('\n', cursor - 1) + 1;
function lineEnd({ text, cursor }: TextBuffer): number {
  const end = text.indexOf('\n', cursor);
  return end === -1 ? text.length : end;
}

/** Made when it is first needed: the first of a process takes as long as half of a start. */
let segmenter: Intl.Segmenter | null = null;
const charactersOf = (text: string): Intl.Segments =>
  (segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })).segment(text);

/** The character around an end of it may be made of several: a flag, a letter with its marks. */
const NEIGHBOURHOOD = 40;

function before({ text, cursor }: TextBuffer): number {
  const from = Math.max(0, cursor - NEIGHBOURHOOD);
  const last = [...charactersOf(text.slice(from, cursor))].at(-1);
  return last ? from + last.index : 0;
}

function after({ text, cursor }: TextBuffer): number {
  const [first] = charactersOf(text.slice(cursor, cursor + NEIGHBOURHOOD));
  return cursor + (first?.segment.length ?? 0);
}

const wordBefore = ({ text, cursor }: TextBuffer): number =>
  /[\p{L}\p{N}_]*[^\p{L}\p{N}_]*$/u.exec(text.slice(0, cursor))?.index ?? 0;

const wordAfter = ({ text, cursor }: TextBuffer): number =>
  cursor + (/^[^\p{L}\p{N}_]*[\p{L}\p{N}_]*/u.exec(text.slice(cursor))?.[0].length ?? 0);
