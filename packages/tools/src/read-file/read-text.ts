import { ToolFailure } from '@countersign/engine';
import { type OpenedFile, readAll } from '../paths/open-file.js';
import { decodeText, looksBinary, markedEncoding } from '../text/decode-text.js';
import { guessMimeType } from '../text/mime-type.js';
import { formatRemarks } from '../text/text-format.js';
import { type PickedLines, pickLines, type WantedLines } from './pick-lines.js';
import { MalformedText, textPieces } from './text-pieces.js';

export type ReadText = PickedLines & {
  /** What is unusual about how the text is stored, e.g. `CRLF`. */
  readonly remarks: readonly string[];
};

export type TextWish = {
  /** null: the file, as far as the limits go. */
  readonly range: WantedLines | null;
  /** How to name the file in a message. */
  readonly shown: string;
  readonly signal: AbortSignal;
};

export const WHOLE_FILE_BYTES_MAX = 20_000_000; // larger files are data or logs, and decoding blocks everybody else

export async function readText(file: OpenedFile, wish: TextWish): Promise<ReadText> {
  const size = Number(file.stats.size);
  if (size > WHOLE_FILE_BYTES_MAX && wish.range !== null) return readPart(file, wish.range, wish);
  const bytes = await readAll(file, wish.shown, WHOLE_FILE_BYTES_MAX);
  const decoded = decodeText(bytes);
  if (decoded === null) throw binary(bytes, wish.shown);
  const picked = await pickLines([decoded.text], wish.range ?? { first: 1, last: null }, 'to the end');
  return { ...picked, remarks: formatRemarks(decoded) };
}

const SAMPLE_BYTES = 8_192;

/** Of a file too large to hold: reads as far as the range goes. */
async function readPart(
  file: OpenedFile,
  range: WantedLines,
  { shown, signal }: TextWish,
): Promise<ReadText> {
  const { buffer, bytesRead } = await file.handle.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, 0);
  const sample = buffer.subarray(0, bytesRead);
  const marked = markedEncoding(sample);
  if (marked === null && looksBinary(sample)) throw binary(sample, shown);

  const read = async (encoding: NonNullable<typeof marked> | 'windows-1252') => {
    const bom = marked !== null;
    const pieces = textPieces(file, encoding, bom, signal);
    const picked = await pickLines(pieces, range, 'as far as shown');
    return { ...picked, remarks: formatRemarks({ encoding, bom, lineEnding: '\n' }) };
  };
  try {
    return await read(marked ?? 'utf-8');
  } catch (error) {
    if (!(error instanceof MalformedText)) throw error;
    if (marked !== null) throw binary(sample, shown);
    return read('windows-1252');
  }
}

const binary = (bytes: Uint8Array, shown: string): ToolFailure =>
  new ToolFailure({ code: 'binary_file', path: shown, mimeType: guessMimeType(bytes, shown) });
