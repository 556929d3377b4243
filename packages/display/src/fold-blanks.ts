import type { Line, Span } from './visible-text.js';

/** More blanks in a row than this are there to push something out of sight: they are counted instead. */
const BLANKS_MAX = 80;
/** The same for empty lines. */
const EMPTY_LINES_MAX = 5;
/** And for one hidden character over and over. */
const SAME_CODES_MAX = 10;

const LONG_BLANKS = new RegExp(`[ \\t]{${BLANKS_MAX + 1},}`, 'g');

/** Lines without what is only there to fill the screen; how much that was is said in its place. */
export function foldBlanks(lines: readonly Line[]): readonly Line[] {
  const folded: Line[] = [];
  for (let index = 0; index < lines.length; ) {
    let end = index;
    while (isEmpty(lines[end])) end++;
    const empty = end - index;
    if (empty > EMPTY_LINES_MAX) folded.push([counted(`${empty} empty lines`)]);
    else folded.push(...lines.slice(index, end));
    const line = lines[end];
    if (line) folded.push(foldLine(line));
    index = end + 1;
  }
  return folded;
}

const isEmpty = (line: Line | undefined): boolean =>
  line?.every(({ text }) => /^[ \t]*$/.test(text)) ?? false;

const counted = (what: string): Span => ({ as: 'code', text: `⟨${what}⟩` });

function foldLine(line: Line): Line {
  const needsIt = line.length > SAME_CODES_MAX || line.some(({ text }) => text.search(LONG_BLANKS) >= 0);
  return needsIt ? foldCodes(line).flatMap(foldSpan) : line;
}

function foldSpan(span: Span): readonly Span[] {
  if (span.as === 'code') return [span];
  const spans: Span[] = [];
  let from = 0;
  for (const { 0: blanks, index } of span.text.matchAll(LONG_BLANKS)) {
    spans.push({ as: 'text', text: span.text.slice(from, index) }, counted(`${blanks.length} blanks`));
    from = index + blanks.length;
  }
  spans.push({ as: 'text', text: span.text.slice(from) });
  return spans.filter(({ text }) => text !== '');
}

function foldCodes(line: Line): Line {
  const spans: Span[] = [];
  for (let index = 0; index < line.length; ) {
    const span = line[index];
    let end = index + 1;
    while (span?.as === 'code' && line[end]?.as === 'code' && line[end]?.text === span.text) end++;
    const times = end - index;
    if (span && times > SAME_CODES_MAX) spans.push({ as: 'code', text: `${span.text}⟨${times} times⟩` });
    else spans.push(...line.slice(index, end));
    index = end;
  }
  return spans;
}
