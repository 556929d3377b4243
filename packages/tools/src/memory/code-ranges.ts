import { splitLines } from '@countersign/host';

/** Offsets into a text; `end` is the first one after it. */
export type Range = { readonly start: number; readonly end: number };

/** Where Markdown gives text as it is: fenced and indented blocks, and code spans. */
export function codeRanges(text: string): readonly Range[] {
  const blocks = new Blocks();
  const ranges: Range[] = [];
  let prose = { start: 0, end: 0 };
  let start = 0;
  for (const line of splitLines(text)) {
    const end = start + line.length;
    const kind = blocks.next(line);
    if (kind === 'prose') {
      prose = { start: prose.end === start ? prose.start : start, end };
    } else {
      ranges.push(...codeSpans(text, prose));
      if (kind === 'code') ranges.push({ start, end });
      prose = { start: end, end };
    }
    start = end;
  }
  return [...ranges, ...codeSpans(text, prose)];
}

export const isWithin = (offset: number, ranges: readonly Range[]): boolean =>
  ranges.some(({ start, end }) => start <= offset && offset < end);

const FENCE = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)]|>)[ \t]+)*(`{3,}|~{3,})(.*)/;
const LIST_ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]/;

/** Reads line by line, since what a line is depends on those before it. */
class Blocks {
  #fence: string | null = null;
  #inList = false;
  /** An indented line after prose continues with it; after a blank line, or code, it is code. */
  #last: 'blank' | 'code' | 'prose' = 'blank';

  next(line: string): 'blank' | 'code' | 'prose' {
    this.#last = this.#kindOf(line);
    return this.#last;
  }

  #kindOf(line: string): 'blank' | 'code' | 'prose' {
    if (this.#fence !== null) {
      if (closes(this.#fence, line)) this.#fence = null;
      return 'code';
    }
    this.#fence = opened(line);
    if (this.#fence !== null) return 'code';
    if (line.trim() === '') return 'blank';
    if (/^(?: {4}|\t)/.test(line)) return this.#last === 'prose' || this.#inList ? 'prose' : 'code';
    if (LIST_ITEM.test(line)) this.#inList = true;
    else if (this.#last !== 'prose' && !line.startsWith(' ')) this.#inList = false;
    return 'prose';
  }
}

/** The marks of a fence that begins here; null for a line that is none. Backquotes with more of them behind are a span. */
function opened(line: string): string | null {
  const [, marks = null, behind = ''] = FENCE.exec(line) ?? [];
  return marks?.startsWith('`') && behind.includes('`') ? null : marks;
}

/** By a row of the same marks, at least as long, and nothing else. */
function closes(fence: string, line: string): boolean {
  const row = line.replace(/^[ \t>]+/, '').trimEnd();
  return row.length >= fence.length && row === fence.charAt(0).repeat(row.length);
}

/** From a row of backquotes to the next row of the same length; a row without one is just characters. */
function codeSpans(text: string, paragraph: Range): Range[] {
  const rows = [...text.slice(paragraph.start, paragraph.end).matchAll(/`+/g)].map(({ index, 0: row }) => ({
    start: paragraph.start + index,
    end: paragraph.start + index + row.length,
  }));
  const lastOfLength = new Map(rows.map((row, at) => [lengthOf(row), at]));
  const spans: Range[] = [];
  for (let at = 0; at < rows.length; at += 1) {
    const opening = rows[at] ?? paragraph;
    // A backslash takes the first of a row out of it; within a span it means nothing.
    const start = text[opening.start - 1] === '\\' ? opening.start + 1 : opening.start;
    const length = opening.end - start;
    // Looked for only where there is one, so that no row is passed twice.
    if (length === 0 || (lastOfLength.get(length) ?? at) <= at) continue;
    for (at += 1; lengthOf(rows[at]) !== length; ) at += 1;
    spans.push({ start, end: rows[at]?.end ?? paragraph.end });
  }
  return spans;
}

const lengthOf = (row: Range | undefined): number => (row === undefined ? 0 : row.end - row.start);
