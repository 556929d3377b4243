/** A line with something other than white space on it. Offsets are those of the whole line without its line break. */
export type ContentLine = {
  readonly start: number;
  readonly end: number;
  /** Counted from 1. */
  readonly number: number;
  readonly trimmed: string;
};

/** Consecutive ones, of those that have content. */
export type LineRange = { readonly first: number; readonly count: number };

/** `more`: the search stopped at a limit, and there may be others. */
export type FoundRanges = { readonly ranges: readonly LineRange[]; readonly more: boolean };

export function contentLines(text: string): ContentLine[] {
  const lines: ContentLine[] = [];
  let start = 0;
  for (let number = 1; start <= text.length; number += 1) {
    const next = text.indexOf('\n', start);
    const end = next === -1 ? text.length : next;
    const trimmed = text.slice(start, end).trim();
    if (trimmed !== '') lines.push({ start, end, number, trimmed });
    start = end + 1;
  }
  return lines;
}

/** The ends of a range of lines. */
export function spanOf(lines: readonly ContentLine[], { first, count }: LineRange) {
  const [from, to] = [lines[first], lines[first + count - 1]];
  if (from === undefined || to === undefined) throw new Error(`no lines ${first} to ${first + count - 1}`);
  return { start: from.start, end: to.end, firstLine: from.number, lastLine: to.number };
}

export const isBlank = (line: string): boolean => line.trim() === '';
