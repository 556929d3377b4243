import { visible } from '@countersign/display';
import { type Role, row, type StyledRow, seg } from './styled.js';
import { cutRow, wrap } from './wrap.js';

/** Of a longer output only the end is read, to show a few rows. */
const CHARS_LOOKED_AT = 100_000;

/** A text from anywhere as rows, its beginning indented with `first`, the rest with blanks. */
export function textRows(text: string, columns: number, first = '', role?: Role): readonly StyledRow[] {
  const width = Math.max(1, columns - first.length);
  const rows = visible(text)
    .split('\n')
    .flatMap((line) => wrap(row(line, role), width, 'words'));
  return rows.map((segments, index) =>
    first === '' ? segments : [seg(index === 0 ? first : ' '.repeat(first.length), role), ...segments],
  );
}

/** The first rows of a text; the last of them states how many more there are. */
export function firstOf(rows: readonly StyledRow[], rowsMax: number, columns: number): readonly StyledRow[] {
  if (rows.length <= rowsMax) return rows;
  const left = rows.length - rowsMax + 1;
  return [...rows.slice(0, rowsMax - 1), cutRow(row(`  ⋮ ${left} more rows`, 'dim'), columns)];
}

/** The last lines of an output that continues, each cut to one row: only what is seen is worked on. */
export function tailRows(output: string, columns: number, rowsMax: number): readonly StyledRow[] {
  const end = output.slice(-CHARS_LOOKED_AT).trimEnd();
  if (end === '' || rowsMax <= 0) return [];
  return visible(end.split('\n').slice(-rowsMax).join('\n'))
    .split('\n')
    .slice(-rowsMax)
    .map((line) => cutRow(row(line), columns));
}
