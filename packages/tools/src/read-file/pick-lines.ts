/** Which lines are wanted, counted from 1; `last` is inclusive and null if the end was left open. */
export type WantedLines = { readonly first: number; readonly last: number | null };

export type PickedLines = {
  readonly text: string;
  readonly first: number;
  /** The last line in `text`; below `first` if there is none. */
  readonly last: number;
  /** How many lines there are; null if the end was not reached. */
  readonly total: number | null;
  /** Whether wanted lines were left out because of a limit. */
  readonly more: boolean;
  readonly longLines: number;
};

export const LINES_MAX = 2_000; // what a model can use of a file whose size it does not know
export const TEXT_CHARS_MAX = 200_000; // about 50,000 tokens
export const LINE_CHARS_MAX = 2_000; // longer lines are generated or data; their beginning tells enough

/**
 * Takes lines out of a text that arrives in pieces, holding no more of it than
 * is shown. Goes on to the end only to count, and only if `count` says so.
 */
export async function pickLines(
  pieces: Iterable<string> | AsyncIterable<string>,
  wanted: WantedLines,
  count: 'to the end' | 'as far as shown',
): Promise<PickedLines> {
  const lastWanted = wanted.last ?? wanted.first + LINES_MAX - 1;
  const shown: string[] = [];
  let shownChars = 0;
  let longLines = 0;
  let full = false;
  let ended = 0;
  let line = new Line();

  const endLine = () => {
    ended += 1;
    if (full || ended < wanted.first || ended > lastWanted) return;
    const text = line.shown();
    full = shownChars + text.length > TEXT_CHARS_MAX;
    if (full) return;
    shown.push(text);
    shownChars += text.length;
    if (line.isLong()) longLines += 1;
  };
  const picked = (total: number | null): PickedLines => {
    const last = wanted.first + shown.length - 1;
    const lastToShow = Math.min(wanted.last ?? Number.POSITIVE_INFINITY, total ?? Number.POSITIVE_INFINITY);
    return { text: shown.join(''), first: wanted.first, last, total, more: last < lastToShow, longLines };
  };

  for await (const piece of pieces) {
    let start = 0;
    for (let end = piece.indexOf('\n'); end !== -1; end = piece.indexOf('\n', start)) {
      line.add(piece.slice(start, end + 1));
      endLine();
      line = new Line();
      start = end + 1;
    }
    if (start < piece.length) line.add(piece.slice(start));
    const complete = ended >= lastWanted && (wanted.last !== null || !line.isEmpty());
    if (count === 'as far as shown' && (full || complete)) return picked(null);
  }
  if (!line.isEmpty()) endLine();
  return picked(ended);
}

/** A line as it grows: only its beginning is kept, however long it gets. */
class Line {
  private kept = '';
  private length = 0;
  private ending = '';

  add(part: string): void {
    const ending = part.endsWith('\r\n') ? '\r\n' : part.endsWith('\n') ? '\n' : '';
    this.ending = ending;
    const body = ending === '' ? part : part.slice(0, -ending.length);
    this.length += body.length;
    // One more than is shown: a pair of surrogates may have to be kept together.
    if (this.kept.length <= LINE_CHARS_MAX) this.kept += body.slice(0, LINE_CHARS_MAX + 1 - this.kept.length);
  }

  isEmpty(): boolean {
    return this.length === 0 && this.ending === '';
  }

  isLong(): boolean {
    return this.length > LINE_CHARS_MAX;
  }

  shown(): string {
    if (!this.isLong()) return this.kept + this.ending;
    const beginning = this.kept.slice(0, LINE_CHARS_MAX).replace(/[\ud800-\udbff]$/, '');
    return `${beginning}… [cut: this line has ${this.length} characters]${this.ending}`;
  }
}
