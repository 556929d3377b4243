import { type Line, textOf } from '@countersign/display';
import { highlighted } from '../text/highlight.js';
import { type Layer, layered } from '../text/layers.js';
import { type Ground, row, type StyledRow, seg } from '../text/styled.js';
import { cutRow, wrap } from '../text/wrap.js';
import { type DiffLine, diffLines } from './diff-lines.js';
import { wordMarks } from './word-marks.js';

export type DiffSize = { readonly columns: number; readonly rowsMax: number };

/** Unchanged lines in a row: of more, some are folded away. */
const CONTEXT_MAX = 8;
const CONTEXT_KEPT = 3;
const NUMBER_COLUMNS_MIN = 3;
/** Of the rows of a diff that does not fit, for its beginning; its end is always shown as well. */
const HEAD_SHARE = 0.6;

/** A diff as rows, never more than given; in the place of what does not fit is the number of hidden lines. */
export function diffRows(lines: readonly Line[], language: string, size: DiffSize): readonly StyledRow[] {
  return new DiffDrawing(lines, language, size.columns).excerpt(size.rowsMax);
}

/** A diff that is drawn only as far as it is shown. */
export class DiffDrawing {
  readonly #read: readonly DiffLine[];
  readonly #layers: readonly (readonly Layer[])[];
  readonly #numberColumns: number;
  readonly #columns: number;

  constructor(lines: readonly Line[], language: string, columns: number) {
    this.#read = folded(diffLines(lines));
    this.#columns = columns;
    let widest = 0;
    for (const line of this.#read) if ('number' in line) widest = Math.max(widest, line.number ?? 0);
    this.#numberColumns = Math.max(NUMBER_COLUMNS_MIN, String(widest).length);
    this.#layers = layersOf(this.#read, language);
  }

  whole(): readonly StyledRow[] {
    return this.#read.flatMap((_, index) => this.#rows(index));
  }

  /** Its beginning and its end, which is always part of it: whatever is most worth hiding is put there. */
  excerpt(rowsMax: number): readonly StyledRow[] {
    const count = this.#read.length;
    const first = this.#from(0, 1, rowsMax + 1);
    if (first.length <= rowsMax) return first.map(({ row: drawn }) => drawn);
    if (rowsMax <= 1) return [cutRow(hiddenRow(count, 'whole'), this.#columns)].slice(0, rowsMax);
    const headRows = Math.max(1, Math.floor((rowsMax - 1) * HEAD_SHARE));
    const head = first.slice(0, headRows);
    const tail = this.#from(count - 1, -1, rowsMax - 1 - headRows).reverse();
    const torn = [
      ...(first[headRows]?.line === head.at(-1)?.line ? [head.at(-1)?.line] : []),
      ...(tail[0] && !tail[0].isFirst ? [tail[0].line] : []),
    ];
    const whole = new Set([...head, ...tail].map(({ line }) => line));
    for (const line of torn) whole.delete(line ?? -1);
    return [
      ...head.map(({ row: drawn }) => drawn),
      cutRow(hiddenRow(count - whole.size, torn.length > 0 ? 'in part' : 'whole'), this.#columns),
      ...tail.map(({ row: drawn }) => drawn),
    ];
  }

  /** Rows from a line on, forwards or backwards, until there are enough. */
  #from(start: number, step: 1 | -1, rowsMax: number): DrawnRow[] {
    const drawn: DrawnRow[] = [];
    for (let line = start; line >= 0 && line < this.#read.length && drawn.length < rowsMax; line += step) {
      const rows = this.#rows(line).map((each, index) => ({ row: each, line, isFirst: index === 0 }));
      drawn.push(...(step === 1 ? rows : rows.reverse()));
    }
    return drawn.slice(0, Math.max(0, rowsMax));
  }

  #rows(index: number): readonly StyledRow[] {
    const line = this.#read[index];
    const gutter = { numberColumns: this.#numberColumns, columns: this.#columns };
    return line ? rowsOfLine(line, this.#layers[index] ?? [], gutter) : [];
  }
}

type DrawnRow = { readonly row: StyledRow; readonly line: number; readonly isFirst: boolean };

const hiddenRow = (count: number, how: 'whole' | 'in part'): StyledRow =>
  row(`  ⋮ ${linesText(count)} hidden${how === 'in part' ? ' in part' : ''}`, 'dim');
const linesText = (count: number): string => (count === 1 ? '1 line' : `${count} lines`);

function folded(read: readonly DiffLine[]): readonly DiffLine[] {
  const kept: DiffLine[] = [];
  for (let from = 0; from < read.length; ) {
    let to = from;
    while (read[to]?.kind === 'same') to++;
    const run = read.slice(from, to);
    if (run.length > CONTEXT_MAX) {
      const count = run.length - 2 * CONTEXT_KEPT;
      kept.push(...run.slice(0, CONTEXT_KEPT), { kind: 'skipped', count }, ...run.slice(-CONTEXT_KEPT));
    } else kept.push(...run);
    const next = read[to];
    if (next) kept.push(next);
    from = to + 1;
  }
  return kept;
}

type Gutter = { readonly numberColumns: number; readonly columns: number };

function rowsOfLine(line: DiffLine, layers: readonly Layer[], gutter: Gutter): readonly StyledRow[] {
  const { numberColumns, columns } = gutter;
  if (line.kind === 'skipped') {
    const text = `${' '.repeat(numberColumns + 1)}⋯ ${linesText(line.count)} unchanged`;
    return [cutRow(row(text, 'dim'), columns)];
  }
  const width = Math.max(1, columns - numberColumns - 3);
  const content = wrap(layered(line.line, layers), width, 'anywhere');
  const number = 'number' in line && line.number !== null ? String(line.number) : '';
  const { sign, role } = SIGNS[line.kind];
  return content.map((segments, index) =>
    index === 0
      ? [seg(number.padStart(numberColumns), 'dim'), seg(` ${sign}│`, role), ...segments]
      : [seg(`${' '.repeat(numberColumns + 2)}┆`, role), ...segments],
  );
}

const SIGNS = {
  added: { sign: '+', role: 'added' },
  removed: { sign: '-', role: 'removed' },
  same: { sign: ' ', role: 'dim' },
  remark: { sign: '·', role: 'dim' },
} as const;

function layersOf(read: readonly DiffLine[], language: string): readonly (readonly Layer[])[] {
  const layers = read.map((): Layer[] => []);
  for (const side of ['removed', 'added'] as const) {
    const places = read.flatMap(({ kind }, index) => (kind === side || kind === 'same' ? [index] : []));
    const code = highlighted(
      places.map((index) => textOf(lineOf(read[index]))),
      language,
    );
    for (const [at, index] of places.entries()) {
      if (read[index]?.kind === 'same' && side === 'removed') continue;
      layers[index]?.push(...(code[at] ?? []));
    }
  }
  for (const [index, { kind }] of read.entries()) {
    if (kind !== 'added' && kind !== 'removed') continue;
    layers[index]?.push({ from: 0, to: Infinity, on: kind });
  }
  markWords(read, layers);
  return layers;
}

const lineOf = (line: DiffLine | undefined): Line => (line && 'line' in line ? line.line : []);

/** In larger diffs, changed words are not marked. */
const MARKED_LINES_MAX = 2_000;

/** The first removed line beside the first added one, and so on: where as many came as went, they belong together. */
function markWords(read: readonly DiffLine[], layers: readonly Layer[][]): void {
  if (read.length > MARKED_LINES_MAX) return;
  for (let from = 0; from < read.length; ) {
    let middle = from;
    while (read[middle]?.kind === 'removed') middle++;
    let to = middle;
    while (read[to]?.kind === 'added') to++;
    const count = middle - from;
    if (count > 0 && to - middle === count) {
      for (let at = 0; at < count; at++) {
        const before = textOf(lineOf(read[from + at]));
        const after = textOf(lineOf(read[middle + at]));
        const { removed, added } = wordMarks(before, after);
        const put = (index: number, spans: typeof removed, on: Ground) =>
          layers[index]?.push(...spans.map((span) => ({ ...span, on })));
        put(from + at, removed, 'removed word');
        put(middle + at, added, 'added word');
      }
    }
    from = Math.max(to, from + 1);
  }
}
