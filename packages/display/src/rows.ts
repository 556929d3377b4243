import { columnsOf, columnsOfCharacter } from './columns.js';
import type { Line, Span } from './visible-text.js';

/** As much of a line as fits beside the others on a screen. */
export type Row = {
  readonly spans: readonly Span[];
  /** Which line it is of, and whether it is where that begins and ends. */
  readonly line: number;
  readonly begins: boolean;
  readonly ends: boolean;
};

/** What is never torn apart: a code, or a character with its marks. */
type Cluster = {
  readonly as: Span['as'];
  text: string;
  columns: number;
  /** Of the text it stands for, in UTF-16. */
  units: number;
};

const TAB_COLUMNS = 4;
/** A row may end this far before the edge for the sake of a whole word. */
const WORD_BREAK_FROM = 0.6;

/** A line broken into rows. A row never ends with a blank, so that who reads on sees whether there was one. */
export function* rowsOf(line: Line, index: number, columns: number): Generator<Row> {
  if (fitsAsItIs(line, columns)) {
    yield { spans: line, line: index, begins: true, ends: true };
    return;
  }
  let row: Cluster[] = [];
  let width = 0;
  let begins = true;
  for (const cluster of clustersOf(line)) {
    if (width + cluster.columns > columns && row.length > 0) {
      const rest = row.splice(breakOf(row, cluster));
      yield { spans: joined(row), line: index, begins, ends: false };
      begins = false;
      row = rest;
      width = rest.reduce((sum, { columns: each }) => sum + each, 0);
    }
    row.push(cluster);
    width += cluster.columns;
  }
  yield { spans: joined(row), line: index, begins, ends: true };
}

/** The last rows of a line, as full as they can be: its end is not torn apart only because of where it begins. */
export function lastRowsOf(line: Line, index: number, columns: number, count: number): readonly Row[] {
  const rows: Row[] = [];
  let row: Cluster[] = [];
  let width = 0;
  let isWhole = true;
  for (const cluster of clustersBackwards(line)) {
    if (width + cluster.columns > columns && row.length > 0) {
      rows.unshift({ spans: joined(row.reverse()), line: index, begins: false, ends: rows.length === 0 });
      row = [];
      width = 0;
      isWhole = rows.length < count;
      if (!isWhole) break;
    }
    row.push(cluster);
    width += cluster.columns;
  }
  if (isWhole)
    rows.unshift({ spans: joined(row.reverse()), line: index, begins: true, ends: rows.length === 0 });
  return rows;
}

const fitsAsItIs = (line: Line, columns: number): boolean =>
  line.length <= columns &&
  line.reduce((sum, { text }) => sum + (text.length > columns ? Infinity : columnsOf(text)), 0) <= columns &&
  !line.some(({ text }) => text.includes('\t'));

/** Where the row ends: before the last blanks in it, if that leaves it well filled. */
function breakOf(row: readonly Cluster[], next: Cluster): number {
  const isBlank = (cluster: Cluster | undefined) => cluster?.as === 'text' && cluster.text.trim() === '';
  for (let end = row.length; end > row.length * WORD_BREAK_FROM; end--) {
    if (isBlank(end === row.length ? next : row[end]) && !isBlank(row[end - 1])) return end;
  }
  return row.length;
}

function* clustersOf(line: Line): Generator<Cluster> {
  let column = 0;
  let held: Cluster | null = null;
  let joins = false;
  for (const { as, text } of line) {
    if (as === 'code') {
      if (held) yield held;
      held = null;
      const code = codeCluster(text);
      yield code;
      column += code.columns;
      continue;
    }
    for (const character of text) {
      const columns =
        character === '\t' ? TAB_COLUMNS - (column % TAB_COLUMNS) : columnsOfCharacter(character);
      column += columns;
      if (held && (joins || columns === 0 || character === '\ufe0f')) {
        held.text += character;
        held.columns += columns;
        held.units += character.length;
      } else {
        if (held) yield held;
        const drawn = character === '\t' ? ' '.repeat(columns) : character;
        held = { as, text: drawn, columns, units: character.length };
      }
      joins = character === '\u200d';
    }
  }
  if (held) yield held;
}

const codeCluster = (text: string): Cluster => ({ as: 'code', text, columns: columnsOf(text), units: 0 });

/** From the last to the first, without looking at more of a long line than is asked for. */
function* clustersBackwards(line: Line): Generator<Cluster> {
  for (const span of line.toReversed()) {
    if (span.as === 'code') yield codeCluster(span.text);
    else yield* charactersBackwards(span.text);
  }
}

const CHUNK_UNITS = 4_096;

function* charactersBackwards(text: string): Generator<Cluster> {
  let end = text.length;
  while (end > 0) {
    const start = Math.max(0, end - CHUNK_UNITS);
    const clusters = [...clustersOf([{ as: 'text', text: text.slice(start, end) }])];
    // The first of a chunk may be half of something; it comes with the next.
    const cut = start > 0 && clusters.length > 1 ? clusters.shift() : undefined;
    yield* clusters.reverse();
    end = start + (cut?.units ?? 0);
  }
}

function joined(clusters: readonly Cluster[]): readonly Span[] {
  const spans: { as: Span['as']; text: string }[] = [];
  for (const { as, text } of clusters) {
    const last = spans.at(-1);
    if (last?.as === as) last.text += text;
    else spans.push({ as, text });
  }
  return spans;
}
