import { excerptOf, firstRows, type Line, type Row, textOf, visible } from '@countersign/display';

/** For a terminal of unknown width. */
export const COLUMNS = 80;
const COLUMNS_MIN = 20;

/** Untrusted text as indented rows. `rowsMax` keeps head and tail, and counts the omitted rows. */
export function rowsOf(text: string, columns: number, indent: string, rowsMax = Infinity): readonly string[] {
  const lines: Line[] = visible(text.trimEnd())
    .split('\n')
    .map((line) => [{ as: 'text', text: line }]);
  // Some terminals wrap a row that reaches the last column.
  const width = Math.max(COLUMNS_MIN, columns - indent.length - 1);
  const drawn = (rows: readonly Row[]) =>
    rows.map(({ spans, begins }) => {
      const row = textOf(spans);
      return `${indent}${begins ? row : row.trimStart()}`.trimEnd();
    });
  if (rowsMax === Infinity) return drawn(firstRows(lines, width));
  const { head, leftOut, tail } = excerptOf(lines, width, rowsMax);
  return leftOut === null ? drawn(head) : [...drawn(head), `${indent}(${leftOut})`, ...drawn(tail)];
}

/** The first row, with a mark if more is omitted. */
export function oneRow(text: string, columns: number, indent: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  const [first = indent, ...more] = rowsOf(flat, columns - 1, indent);
  return more.length > 0 ? `${first}…` : first;
}

/** In local time. */
export function timeText(at: number | Date, precision: 'minutes' | 'seconds' = 'minutes'): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const minutes = `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
  return precision === 'minutes' ? minutes : `${minutes}:${two(date.getSeconds())}`;
}
