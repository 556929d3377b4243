import type { MarkdownWriter } from './markdown-writer.js';

const CELL_CHARS_MAX = 500; // longer ones are paragraphs in a page layout
const COLUMNS_MAX = 50;

/** The cells of a table, gathered until it is known whether they are data or only a way to lay out a page. */
export class Table {
  readonly #rows: string[][] = [];
  #isLayout = false;

  row(): void {
    this.#rows.push([]);
  }

  cell(text: string, span: number): void {
    const row = this.#rows.at(-1) ?? [];
    if (this.#rows.length === 0) this.#rows.push(row);
    if (row.length < COLUMNS_MAX) row.push(text);
    for (let left = span; left > 1 && row.length < COLUMNS_MAX; left -= 1) row.push('');
    if (text.length > CELL_CHARS_MAX) this.#isLayout = true;
  }

  /** Something is in it that no line of a table can hold. */
  holdsBlocks(): void {
    this.#isLayout = true;
  }

  writeTo(writer: MarkdownWriter): void {
    const rows = this.#rows.filter((row) => row.some((cell) => cell !== ''));
    const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
    writer.break(2);
    if (this.#isLayout || width < 2 || rows.length < 2) {
      for (const cell of rows.flat()) if (cell !== '') writer.lines(cell.split('\n'));
    } else {
      const [head = [], ...others] = rows;
      const dashes = Array.from({ length: width }, () => '---');
      writer.lines([head, dashes, ...others].map((row) => lineOf(row, width)));
    }
    writer.break(2);
  }
}

function lineOf(row: readonly string[], width: number): string {
  const cells = row.map((cell) => cell.replace(/\s*\n\s*/g, ' ').replaceAll('|', '\\|'));
  const missing = Array.from({ length: width - row.length }, () => '');
  return `| ${[...cells, ...missing].join(' | ')} |`;
}
