import { type LineEnding, lineEndingOf } from '@countersign/host';

/** Which lines are wanted, counted from 1; `last` is inclusive and null if the end was left open. */
export type WantedLines = { readonly first: number; readonly last: number | null };

export type PickedLines = {
  readonly text: string;
  readonly first: number;
  /** The last line in `text`; below `first` if there is none. */
  readonly last: number;
  /** How many lines there are; null if the end was not reached. */
  readonly total: number | null;
  /** Whether wanted lines were omitted because of a limit. */
  readonly more: boolean;
  /** The numbers of lines whose end was cut off. */
  readonly cutLines: readonly number[];
  /** Of the lines looked at. */
  readonly lineEnding: LineEnding;
};

export const LINES_MAX = 2_000; // what a model can use of a file whose size it does not know
export const TEXT_CHARS_MAX = 60_000; // about 15,000 tokens: one read should not drive out the rest of a conversation
export const LINE_CHARS_MAX = 2_000; // longer lines are generated or data; their beginning is enough

/** A text that is wanted whole and within all limits, as it is; null for any other. Most reads are of this kind. */
export function allOf(text: string, { first, last }: WantedLines): PickedLines | null {
  if (first !== 1 || last !== null || text.length > TEXT_CHARS_MAX) return null;
  let lines = 0;
  let start = 0;
  while (start < text.length) {
    const lineBreak = text.indexOf('\n', start);
    const end = lineBreak === -1 ? text.length : lineBreak + 1;
    if (end - start > LINE_CHARS_MAX) return null;
    start = end;
    lines += 1;
  }
  if (lines > LINES_MAX) return null;
  const lineEnding = lineEndingOf(text);
  return { text, first, last: lines, total: lines, more: false, cutLines: [], lineEnding };
}

/**
 * Takes lines out of a text that arrives in pieces, holding no more of it than
 * is shown. Lines end with `\n` alone, as for every program that numbers them.
 */
export class LinePicker {
  readonly #wanted: WantedLines;
  readonly #lastWanted: number;
  /** A request for one line wants to see that one. */
  readonly #lineCharsMax: number;
  readonly #shown: string[] = [];
  readonly #cutLines: number[] = [];
  readonly #breaks = { plain: 0, withReturn: 0 };
  #shownChars = 0;
  #ended = 0;
  #line: Line | null = null;
  #lastCode = 0;
  #state: 'picking' | 'full' | 'done' = 'picking';

  constructor(wanted: WantedLines) {
    this.#wanted = wanted;
    this.#lastWanted = wanted.last ?? wanted.first + LINES_MAX - 1;
    this.#lineCharsMax = wanted.first === wanted.last ? TEXT_CHARS_MAX : LINE_CHARS_MAX;
  }

  /** `done`: it has all that is wanted. `full`: a limit was reached, and more pieces only serve to count lines. */
  take(piece: string): 'picking' | 'full' | 'done' {
    let start = 0;
    while (start < piece.length && this.#state !== 'done') {
      const lineBreak = piece.indexOf('\n', start);
      const end = lineBreak === -1 ? piece.length : lineBreak + 1;
      this.#add(piece, start, end);
      if (lineBreak !== -1) this.#endAt(piece, lineBreak);
      start = end;
    }
    if (piece.length > 0) this.#lastCode = piece.charCodeAt(piece.length - 1);
    return this.#state;
  }

  /** What was picked, `at the end` of the text or before. */
  picked(where: 'at the end' | 'before'): PickedLines {
    if (where === 'at the end' && this.#line !== null) this.#endLine();
    const { plain, withReturn } = this.#breaks;
    return {
      text: this.#shown.join(''),
      first: this.#wanted.first,
      last: this.#wanted.first + this.#shown.length - 1,
      total: where === 'at the end' ? this.#ended : null,
      more: this.#state === 'full',
      cutLines: this.#cutLines,
      lineEnding: withReturn === 0 ? '\n' : plain === 0 ? '\r\n' : 'mixed',
    };
  }

  #add(piece: string, start: number, end: number): void {
    const number = this.#ended + 1;
    if (this.#state === 'picking' && number > this.#lastWanted) this.#state = 'full';
    const isWanted = this.#state === 'picking' && number >= this.#wanted.first;
    this.#line ??= isWanted ? new Line(this.#lineCharsMax) : UNSEEN;
    if (isWanted) this.#line.add(piece.slice(start, end));
  }

  #endAt(piece: string, lineBreak: number): void {
    const before = lineBreak === 0 ? this.#lastCode : piece.charCodeAt(lineBreak - 1);
    if (before === CARRIAGE_RETURN) this.#breaks.withReturn += 1;
    else this.#breaks.plain += 1;
    this.#endLine();
  }

  #endLine(): void {
    const line = this.#line ?? UNSEEN;
    this.#line = null;
    this.#ended += 1;
    if (line === UNSEEN || this.#state !== 'picking') return;
    const text = line.shown();
    if (this.#shown.length > 0 && this.#shownChars + text.length > TEXT_CHARS_MAX) {
      this.#state = 'full';
      return;
    }
    this.#shown.push(text);
    this.#shownChars += text.length;
    if (line.isCut()) this.#cutLines.push(this.#ended);
    if (this.#ended === this.#wanted.last) this.#state = 'done';
  }
}

const CARRIAGE_RETURN = 0x0d;

/** A line as it grows: only its beginning is kept, however long it gets. */
class Line {
  readonly #charsMax: number;
  #kept = '';
  #length = 0;
  /** The last part, or more where a line break may lie across two. */
  #end = '';

  constructor(charsMax: number) {
    this.#charsMax = charsMax;
  }

  add(part: string): void {
    const room = this.#charsMax + LINE_BREAK_CHARS_MAX - this.#kept.length;
    if (part.length <= room) this.#kept += part;
    else if (room > 0) this.#kept += part.slice(0, room);
    this.#length += part.length;
    this.#end = part.length < LINE_BREAK_CHARS_MAX ? `${this.#end.slice(-1)}${part}` : part;
  }

  isCut(): boolean {
    return this.#length > this.#charsMax && this.#length - this.#ending().length > this.#charsMax;
  }

  shown(): string {
    if (!this.isCut()) return this.#kept;
    const beginning = this.#kept.slice(0, this.#charsMax).replace(/[\ud800-\udbff]$/, '');
    const ending = this.#ending();
    return `${beginning}… [cut: this line has ${this.#length - ending.length} characters]${ending}`;
  }

  #ending(): string {
    return /\r?\n$/.exec(this.#end.slice(-LINE_BREAK_CHARS_MAX))?.[0] ?? '';
  }
}

const LINE_BREAK_CHARS_MAX = 2;

/** Stands for every line that is only counted. */
const UNSEEN = new Line(0);
