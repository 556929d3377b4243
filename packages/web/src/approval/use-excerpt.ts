import { excerptOf, type Line, type Row } from '@countersign/display';
import { useMemo, useState } from 'react';

/** The beginning and the end of some lines; `leftOut` states what is missing between them, null if nothing. */
export type Shown = {
  readonly head: readonly Line[];
  readonly leftOut: string | null;
  readonly tail: readonly Line[];
  readonly showAll: () => void;
};

/** Characters of a row where a screen is wide; a narrow one makes more rows of it. */
const COLUMNS = 100;

/**
 * The beginning and the end: a dangerous part would be hidden at the end, so it is always visible before an answer. A
 * button shows all.
 */
export function useExcerpt(lines: readonly Line[], rowsMax: number): Shown {
  const [isWhole, setWhole] = useState(false);
  return useMemo(() => {
    const showAll = () => setWhole(true);
    if (isWhole) return { head: lines, leftOut: null, tail: [], showAll };
    const { head, leftOut, tail } = excerptOf(lines, COLUMNS, rowsMax);
    if (leftOut === null) return { head: lines, leftOut, tail: [], showAll };
    return { head: joined(head), leftOut, tail: joined(tail), showAll };
  }, [lines, rowsMax, isWhole]);
}

/** Rows as the lines they were broken from: a browser wraps lines itself. */
function joined(rows: readonly Row[]): readonly Line[] {
  const lines = new Map<number, Line>();
  for (const { line, spans } of rows) lines.set(line, [...(lines.get(line) ?? []), ...spans]);
  return [...lines.values()];
}
