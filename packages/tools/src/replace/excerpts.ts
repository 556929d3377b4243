import { countLines } from '@countersign/host';
import type { Excerpt } from '@countersign/protocol';
import type { Span } from './occurrences.js';

const PLACES_MAX = 5; // with so many, a better old_string helps, not more of them
const LINES_MAX = 8; // enough to recognise a place
const LINE_CHARS_MAX = 200;

/** The whole lines in which these parts of a text lie, as far as they are needed to recognise them. */
export const excerptsOf = (text: string, spans: readonly Span[]): Excerpt[] =>
  spans.slice(0, PLACES_MAX).map(({ start, end }) => {
    const lineStart = text.lastIndexOf('\n', start - 1) + 1;
    const next = text.indexOf('\n', Math.max(start, end - 1));
    const lines = text.slice(start === 0 ? 0 : lineStart, next === -1 ? text.length : next).split('\n');
    const shown = lines.slice(0, LINES_MAX).map((line) => cut(line));
    if (lines.length > LINES_MAX) shown.push(`… (${lines.length - LINES_MAX} more)`);
    return { line: lineNumberAt(text, start), text: shown.join('\n') };
  });

export const lineNumberAt = (text: string, offset: number): number =>
  countLines(text.slice(0, offset)) + (offset === 0 || text[offset - 1] === '\n' ? 1 : 0);

const cut = (line: string): string =>
  line.length > LINE_CHARS_MAX ? `${line.slice(0, LINE_CHARS_MAX)}…` : line;
