import { type FoundLine, LineInProgress } from './found-line.js';

const NUL = 0x00;
const LINE_BREAK = 0x0a;
const COLON = 0x3a;

type Header = {
  readonly path: string;
  readonly number: number;
  /** Where in its line the match begins, counted from 0; null for a line near a match. */
  readonly column: number | null;
  /** Where the line itself begins. */
  readonly end: number;
};

export type MatchListener = {
  readonly line: (line: FoundLine) => void;
  /** This file, whose lines were reported before, turned out to be binary further on. */
  readonly binary: (path: string) => void;
};

/**
 * Reads what ripgrep prints with `--null --line-number --column`: a path, NUL,
 * and then `12:5:` before a match or `11-` before a line near one. That holds for
 * any name and any text, and no line is kept that is longer than what is shown.
 */
export class MatchReader {
  readonly #listener: MatchListener;
  /** Bytes of a header that has not ended yet. */
  #pending: Buffer = Buffer.alloc(0);
  #line: LineInProgress | null = null;
  #path = '';

  constructor(listener: MatchListener) {
    this.#listener = listener;
  }

  take(printed: Buffer): void {
    const bytes = this.#pending.length === 0 ? printed : Buffer.concat([this.#pending, printed]);
    this.#pending = bytes.subarray(bytes.length);
    for (let at = 0; at < bytes.length; )
      at = this.#line === null ? this.#header(bytes, at) : this.#text(bytes, at);
  }

  /** What was printed after the last line. */
  rest(): string {
    return this.#withoutBinaryNotice(this.#pending.toString());
  }

  #header(bytes: Buffer, start: number): number {
    const header = readHeader(bytes, start);
    if (header === null) {
      this.#pending = bytes.subarray(start);
      return bytes.length;
    }
    this.#path = withoutDot(this.#withoutBinaryNotice(header.path));
    this.#line = new LineInProgress(this.#path, header.number, header.column);
    return header.end;
  }

  #text(bytes: Buffer, start: number): number {
    const lineBreak = bytes.indexOf(LINE_BREAK, start);
    const end = lineBreak === -1 ? bytes.length : lineBreak;
    this.#line?.add(bytes.subarray(start, end), lineBreak === -1 ? 'passing' : 'lasting');
    if (lineBreak === -1) return end;
    if (this.#line !== null) this.#listener.line(this.#line.found());
    this.#line = null;
    return end + 1;
  }

  /** A notice stands in the place of a header and has no NUL, so that it comes glued to what follows. */
  #withoutBinaryNotice(text: string): string {
    const notice = `./${this.#path}: WARNING: stopped searching binary file`;
    if (this.#path === '' || !text.startsWith(notice)) return text;
    this.#listener.binary(this.#path);
    return text.slice(text.indexOf('\n', notice.length) + 1);
  }
}

/** null as long as it has not arrived whole. */
function readHeader(bytes: Buffer, start: number): Header | null {
  const nul = bytes.indexOf(NUL, start);
  if (nul === -1) return null;
  const number = readNumber(bytes, nul + 1);
  if (number === null) return null;
  const path = bytes.toString('utf8', start, nul);
  if (bytes[number.end] !== COLON) return { path, number: number.value, column: null, end: number.end + 1 };
  const column = readNumber(bytes, number.end + 1);
  if (column === null) return null;
  return { path, number: number.value, column: column.value - 1, end: column.end + 1 };
}

function readNumber(bytes: Buffer, start: number): { readonly value: number; readonly end: number } | null {
  let value = 0;
  for (let at = start; at < bytes.length; at += 1) {
    const digit = (bytes[at] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) return { value, end: at };
    value = value * 10 + digit;
  }
  return null;
}

const withoutDot = (path: string): string => (path.startsWith('./') ? path.slice(2) : path);
