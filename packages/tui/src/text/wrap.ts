import { columnsOf } from '@countersign/display';
import type { Segment, StyledRow } from './styled.js';

const TAB_COLUMNS = 4;
/** A row may end this far before the edge for the sake of a whole word. */
const WORD_BREAK_FROM = 0.5;

/** What is never torn apart: a character with its marks. */
type Cell = { text: string; columns: number; readonly of: Segment };

/** Segments broken into rows of at most so many columns. 'words': between words, where that leaves rows well filled. */
export function wrap(segments: StyledRow, columns: number, at: 'words' | 'anywhere'): readonly StyledRow[] {
  if (fits(segments, columns)) return [segments];
  const rows: StyledRow[] = [];
  let cells: Cell[] = [];
  let width = 0;
  for (const cell of cellsOf(segments)) {
    if (width + cell.columns > columns && cells.length > 0) {
      const end = at === 'words' ? wordEnd(cells, cell) : cells.length;
      const rest = cells.slice(end);
      rows.push(joined(cells.slice(0, end)));
      cells = at === 'words' ? withoutLeadingBlanks(rest) : rest;
      width = cells.reduce((sum, each) => sum + each.columns, 0);
      if (at === 'words' && cells.length === 0 && cell.text === ' ') continue;
    }
    cells.push(cell);
    width += cell.columns;
  }
  rows.push(joined(cells));
  return rows;
}

/** As much of a row as fits; `…` stands for the rest. */
export function cutRow(segments: StyledRow, columns: number): StyledRow {
  if (fits(segments, columns)) return segments;
  const [first = []] = wrap(segments, Math.max(1, columns - 1), 'anywhere');
  return [...first, { text: '…' }];
}

export const widthOf = (segments: StyledRow): number =>
  segments.reduce((sum, { text }) => sum + columnsOf(text), 0);

const fits = (segments: StyledRow, columns: number): boolean =>
  !segments.some(({ text }) => text.includes('\t')) && widthOf(segments) <= columns;

function* cellsOf(segments: StyledRow): Generator<Cell> {
  let column = 0;
  let held: Cell | null = null;
  let joins = false;
  for (const segment of segments) {
    for (const character of segment.text) {
      const isTab = character === '\t';
      const columns: number = isTab ? TAB_COLUMNS - (column % TAB_COLUMNS) : columnsOf(character);
      column += columns;
      if (held && (joins || columns === 0 || character === '\ufe0f')) {
        held.text += character;
        held.columns += columns;
      } else {
        if (held) yield held;
        held = { text: isTab ? ' '.repeat(columns) : character, columns, of: segment };
      }
      joins = character === '\u200d';
    }
  }
  if (held) yield held;
}

function wordEnd(cells: readonly Cell[], next: Cell): number {
  if (next.text === ' ') return cells.length;
  for (let end = cells.length; end > cells.length * WORD_BREAK_FROM; end--)
    if (cells[end - 1]?.text === ' ') return end;
  return cells.length;
}

function withoutLeadingBlanks(cells: Cell[]): Cell[] {
  const from = cells.findIndex(({ text }) => text !== ' ');
  return from === -1 ? [] : cells.slice(from);
}

function joined(cells: readonly Cell[]): StyledRow {
  const segments: { text: string; readonly of: Segment }[] = [];
  for (const { text, of } of cells) {
    const last = segments.at(-1);
    if (last?.of === of) last.text += text;
    else segments.push({ text, of });
  }
  return segments.map(({ text, of }) => ({ ...of, text }));
}
