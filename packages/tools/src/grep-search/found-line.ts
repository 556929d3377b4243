import { decodeWindows1252, orNull } from '@countersign/host';

/** A line that matches, or one near it. */
export type FoundLine = {
  /** From the directory that is searched. */
  readonly path: string;
  readonly number: number;
  readonly isMatch: boolean;
  /** As much of the line as is shown. */
  readonly text: string;
  /** What is known about the rest; null for a whole line. */
  readonly cut: { readonly hasMoreBefore: boolean; readonly bytes: number } | null;
};

export function shownLine({ number, isMatch, text, cut }: FoundLine): string {
  const line = `L${number}${isMatch ? ':' : '-'} `;
  if (cut === null) return `${line}${text}`;
  return `${line}${cut.hasMoreBefore ? '…' : ''}${text}… [cut: this line has ${cut.bytes} bytes]`;
}

const LINE_BYTES_MAX = 1_000; // longer lines are generated or data
const LEAD_BYTES = 200; // what is shown before a match that lies far to the right
const MATCH_BYTES = 300; // what should be seen of a match and what follows it
const RETURN = 0x0d;
const EMPTY = Buffer.alloc(0);

/** A line as it arrives: only the part around the match is kept, however long it gets. */
export class LineInProgress {
  readonly #path: string;
  readonly #number: number;
  readonly #isMatch: boolean;
  readonly #from: number;
  readonly #kept: Buffer[] = [];
  #keptBytes = 0;
  #bytes = 0;
  #last = 0;

  /** `column` is where the match begins, in bytes from 0; null for a line near a match. */
  constructor(path: string, number: number, column: number | null) {
    this.#path = path;
    this.#number = number;
    this.#isMatch = column !== null;
    this.#from = column === null || column + MATCH_BYTES <= LINE_BYTES_MAX ? 0 : column - LEAD_BYTES;
  }

  /** `lasting`: the part is not used for anything else until the line has been found. */
  add(part: Buffer, lasting: 'lasting' | 'passing'): void {
    const skipped = Math.max(0, this.#from - this.#bytes);
    this.#bytes += part.length;
    this.#last = part.at(-1) ?? this.#last;
    const kept = part.subarray(skipped, skipped + LINE_BYTES_MAX - this.#keptBytes);
    if (kept.length === 0) return;
    this.#kept.push(lasting === 'lasting' ? kept : Buffer.from(kept));
    this.#keptBytes += kept.length;
  }

  found(): FoundLine {
    const bytes = this.#last === RETURN ? this.#bytes - 1 : this.#bytes;
    const [first = EMPTY, ...more] = this.#kept;
    const kept = more.length === 0 ? first : Buffer.concat(this.#kept);
    const part = kept.subarray(0, Math.max(0, bytes - this.#from));
    const isWhole = part.length === bytes;
    return {
      path: this.#path,
      number: this.#number,
      isMatch: this.#isMatch,
      text: decoded(isWhole ? part : wholeCharacters(part)),
      cut: isWhole ? null : { hasMoreBefore: this.#from > 0, bytes },
    };
  }
}

/** Without the pieces of characters that were cut in two. */
function wholeCharacters(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 4 && isContinuation(bytes[start])) start += 1;
  let end = bytes.length;
  while (end > bytes.length - 4 && isContinuation(bytes[end - 1])) end -= 1;
  // The byte before announces how many follow; a whole character loses nothing that matters.
  if ((bytes[end - 1] ?? 0) >= 0xc0) end -= 1;
  else end = bytes.length;
  return bytes.subarray(start, end);
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** As elsewhere: what is no UTF-8 is old single-byte text. */
function decoded(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (!text.includes('\ufffd')) return text;
  return orNull(() => utf8.decode(bytes)) ?? decodeWindows1252(bytes);
}
