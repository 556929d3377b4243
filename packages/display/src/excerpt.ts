import { lastRowsOf, type Row, rowsOf } from './rows.js';
import { type Line, textOf } from './visible-text.js';

/** The beginning and the end of some lines, and how much between them is omitted. */
export type Excerpt = {
  readonly head: readonly Row[];
  /** In our words; null if nothing is omitted. */
  readonly leftOut: string | null;
  readonly tail: readonly Row[];
};

const HEAD_SHARE = 0.6;

/**
 * As much of some lines as fits into so many rows. The end is always part of it: whatever is most worth hiding is put
 * there.
 */
export function excerptOf(lines: readonly Line[], columns: number, rowsMax: number): Excerpt {
  const first = firstRows(lines, columns, rowsMax + 1);
  if (first.length <= rowsMax) return { head: first, leftOut: null, tail: [] };
  // One row says what is omitted.
  const headRows = Math.max(1, Math.ceil((rowsMax - 1) * HEAD_SHARE));
  const head = first.slice(0, headRows);
  const tail = lastRows(lines, columns, Math.max(1, rowsMax - 1 - headRows));
  return { head, leftOut: leftOutBetween(lines, head, tail), tail };
}

export function firstRows(lines: readonly Line[], columns: number, count = Infinity): Row[] {
  const rows: Row[] = [];
  for (const [index, line] of lines.entries()) {
    for (const row of rowsOf(line, index, columns)) {
      rows.push(row);
      if (rows.length >= count) return rows;
    }
  }
  return rows;
}

function lastRows(lines: readonly Line[], columns: number, count: number): Row[] {
  const groups: (readonly Row[])[] = [];
  let wanted = count;
  for (let index = lines.length - 1; index >= 0 && wanted > 0; index--) {
    const rows = lastRowsOf(lines[index] ?? [], index, columns, wanted);
    groups.unshift(rows);
    wanted -= rows.length;
  }
  return groups.flat();
}

function leftOutBetween(lines: readonly Line[], head: readonly Row[], tail: readonly Row[]): string {
  const before = head.at(-1);
  const after = tail[0];
  if (!before || !after) return '';
  const from = before.ends ? before.line + 1 : before.line;
  const to = after.begins ? after.line - 1 : after.line;
  const inFull = before.ends && after.begins ? '' : ' in full';
  if (to > from) return `not shown${inFull}: ${to - from + 1} of ${lines.length} lines`;
  const shown = [...head, ...tail].filter(({ line }) => line === from);
  const left =
    textOf(lines[from] ?? []).length - shown.reduce((sum, { spans }) => sum + textOf(spans).length, 0);
  return `not shown: ${left} characters`;
}

/** Shares out rows: who wants few gets them, the rest is divided evenly among the others. */
export function shareRows(wanted: readonly number[], total: number): readonly number[] {
  const shares = wanted.map(() => 0);
  let left = total;
  const fewestFirst = wanted.map((rows, index) => ({ rows, index })).sort((a, b) => a.rows - b.rows);
  for (const [place, { rows, index }] of fewestFirst.entries()) {
    const share = Math.min(rows, Math.max(1, Math.floor(left / (wanted.length - place))));
    shares[index] = share;
    left -= share;
  }
  return shares;
}
