const EDGE_BYTES = 300; // of a line that is too long: enough to see which request it answers

/**
 * Takes a stream of bytes apart into lines. Of a line that is longer than it
 * may be, only its beginning and end are kept in memory and passed on.
 */
export class MessageLines {
  readonly #bytesMax: number;
  readonly #onLine: (line: string) => void;
  readonly #onTooLong: (beginning: string, end: string) => void;
  #pieces: Buffer[] = [];
  #size = 0;

  constructor(
    bytesMax: number,
    onLine: (line: string) => void,
    onTooLong: (beginning: string, end: string) => void,
  ) {
    this.#bytesMax = bytesMax;
    this.#onLine = onLine;
    this.#onTooLong = onTooLong;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      this.#add(chunk.subarray(from, end));
      this.#endLine();
      from = end + 1;
    }
    if (from < chunk.length) this.#add(chunk.subarray(from));
  }

  #add(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#size += piece.length;
    if (this.#size <= this.#bytesMax) return;
    const whole = Buffer.concat(this.#pieces);
    // Copies: a part of the whole would keep all of it.
    this.#pieces = [Buffer.from(whole.subarray(0, EDGE_BYTES)), Buffer.from(whole.subarray(-EDGE_BYTES))];
  }

  #endLine(): void {
    const pieces = this.#pieces;
    const isTooLong = this.#size > this.#bytesMax;
    this.#pieces = [];
    this.#size = 0;
    const [first] = pieces;
    // Bytes that are no UTF-8 become U+FFFD.
    if (isTooLong) this.#onTooLong(String(first), String(pieces.at(-1)));
    else if (first) this.#onLine(pieces.length === 1 ? String(first) : String(Buffer.concat(pieces)));
  }
}

const NEWLINE = 0x0a;
