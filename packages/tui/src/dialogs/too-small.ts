import type { Size } from '../screen/use-size.js';
import { row, type StyledRow } from '../text/styled.js';
import { cutRow } from '../text/wrap.js';

/** Below this, rows are broken by the terminal, and the rows above them are pushed off the screen. */
const COLUMNS_MIN = 20;
/** The row under what is drawn, and the one that stays free. */
const OTHER_ROWS = 2;

/** Whether a question with so many rows is really seen. Its last row, which names the keys, may be missing. */
export const fitsOn = ({ columns, rows }: Size, wanted: number, rowsMax: number): boolean =>
  columns >= COLUMNS_MIN && wanted - 1 <= rowsMax && rowsMax <= rows - OTHER_ROWS;

/** Replaces a question that does not fit: only a question that is visible can be approved. */
export const tooSmallRows = (heading: StyledRow, columns: number): readonly StyledRow[] => [
  heading,
  cutRow(row('  Make the terminal larger to see the question; esc: no', 'warn'), columns),
];
