import { row, type StyledRow, seg } from '../text/styled.js';
import { cutRow, wrap } from '../text/wrap.js';

/** The chosen one is spelled out in as many rows as it needs, within reason; the whole of the question has the rest. */
const SELECTED_ROWS_MAX = 5;
const OTHER_ROWS_MAX = 2;

/** A numbered list, one of which is chosen. Where there is little room, the others are cut to a row each. */
export function choiceRows(
  labels: readonly string[],
  selected: number,
  columns: number,
  rowsMax: number,
): readonly StyledRow[] {
  const roomy = labels.map((label, index) => labelRows(label, index, index === selected, columns));
  const total = roomy.reduce((sum, { length }) => sum + length, 0);
  if (total <= rowsMax) return roomy.flat();
  const tight = roomy.map((rows, index) =>
    index === selected || rows.length === 1
      ? rows
      : [cutRow([seg(markOf(index, false)), seg(labels[index] ?? '')], columns)],
  );
  const before = tight.slice(0, selected).reduce((sum, { length }) => sum + length, 0);
  const end = before + (tight[selected]?.length ?? 0);
  return around(tight.flat(), end, Math.max(CHOICE_ROWS_MIN, rowsMax), columns);
}

/** On a screen that is too small for all of them: those around the chosen one, and how many rows there are beyond. */
function around(
  rows: readonly StyledRow[],
  end: number,
  rowsMax: number,
  columns: number,
): readonly StyledRow[] {
  if (rows.length <= rowsMax) return rows;
  const start = Math.max(0, Math.min(end - rowsMax + 1, rows.length - rowsMax + 1));
  const shown = rows.slice(start, start + rowsMax - 1);
  const more = cutRow(row(`  ⋮ ${rows.length - shown.length} more rows of choices, ↑↓`, 'dim'), columns);
  return [...shown, more];
}
const CHOICE_ROWS_MIN = 3;

/** Whether a choice is among these rows. */
export const isAmong = (index: number, rows: readonly StyledRow[]): boolean =>
  rows.some(([mark]) => mark?.text === markOf(index, true) || mark?.text === markOf(index, false));

/** Whether all of it can be read where it is not the chosen one. */
export const isReadable = (label: string, columns: number): boolean =>
  wrap(row(label), columns - MARK_COLUMNS, 'words').length === 1;

const MARK_COLUMNS = 6;
const markOf = (index: number, isSelected: boolean): string =>
  `${isSelected ? '›' : ' '} ${(index + 1) % 10}. `.padEnd(MARK_COLUMNS - 1);

function labelRows(label: string, index: number, isSelected: boolean, columns: number): readonly StyledRow[] {
  const rows = wrap(row(label, isSelected ? 'strong' : undefined), columns - MARK_COLUMNS, 'words');
  const shown = rows.slice(0, isSelected ? SELECTED_ROWS_MAX : OTHER_ROWS_MAX);
  return shown.map(
    (segments, place): StyledRow => [
      seg(
        place === 0 ? markOf(index, isSelected) : ' '.repeat(MARK_COLUMNS - 1),
        isSelected ? 'accent' : undefined,
      ),
      ...segments,
      ...(place === shown.length - 1 && rows.length > shown.length ? [seg('…')] : []),
    ],
  );
}

/** Which one an arrow leads to; null for any other key. */
export function movedTo(selected: number, count: number, key: string): number | null {
  if (key === 'up') return (selected + count - 1) % count;
  return key === 'down' ? (selected + 1) % count : null;
}
