import { type RunContext } from '@countersign/engine';
import {
  BYTE_ORDER_MARKS,
  decodeWindows1252,
  formatRemarks,
  guessMimeType,
  orNull,
  storageOf,
  type TextEncoding,
} from '@countersign/host';
import { ToolFailure } from '@countersign/protocol';
import type { FileBytes } from './file-bytes.js';
import { allOf, LinePicker, type PickedLines, type WantedLines } from './pick-lines.js';

export type ReadText = PickedLines & {
  /** What is unusual about how the text is stored, e.g. `CRLF`. */
  readonly remarks: readonly string[];
  /** Whether some bytes are not what the encoding promises, and are shown as U+FFFD. */
  readonly isDamaged: boolean;
};

export type TextRange = {
  readonly wanted: WantedLines;
  /** How to name the file in a message. */
  readonly shown: string;
  readonly context: Pick<RunContext, 'signal'>;
};

export async function readText(bytes: FileBytes, range: TextRange): Promise<ReadText> {
  const storage = storageOf(bytes.beginning);
  if (storage === null) throw binary(bytes, range.shown);
  const { encoding, bom } = storage;

  const read = async (reading: Reading): Promise<ReadText | Malformed> => {
    const picked = await pick(bytes, bom ? BYTE_ORDER_MARKS[encoding].length : 0, decoderOf(reading), range);
    if ('malformed' in picked) return picked;
    const isDamaged = reading === 'damaged utf-8';
    const remarks = formatRemarks({ ...picked, bom, encoding: isDamaged ? 'utf-8' : reading });
    return { ...picked, isDamaged, remarks: isDamaged ? [...remarks, 'damaged UTF-8'] : remarks };
  };

  const strictly = await read(encoding);
  if (!('malformed' in strictly)) return strictly;
  if (encoding !== 'utf-8') throw binary(bytes, range.shown);
  const again = await read(bom || strictly.malformed === 'damaged' ? 'damaged utf-8' : 'windows-1252');
  if ('malformed' in again) throw new Error(`${range.shown} could not be read`);
  return again;
}

/** UTF-8 with bad bytes in it, or something else altogether. */
type Malformed = { readonly malformed: 'damaged' | 'other' };

const COUNTED_BYTES_MAX = 20_000_000; // counting lines is not worth reading more

async function pick(
  bytes: FileBytes,
  markBytes: number,
  decode: Decode,
  { wanted, context }: TextRange,
): Promise<PickedLines | Malformed> {
  const picker = new LinePicker(wanted);
  if (bytes.isAll) {
    const text = decode(bytes.beginning.subarray(markBytes), 'last');
    if (text === null) return { malformed: isMostlyUtf8(bytes.beginning) ? 'damaged' : 'other' };
    return allOf(text, wanted) ?? picker.picked(picker.take(text) === 'done' ? 'before' : 'at the end');
  }
  let position = 0;
  let chars = 0;
  // A character of UTF-8 that takes several bytes makes the text shorter than they are; three may still be waiting.
  const hasSeenUtf8 = () => position - chars > 3;
  for await (const piece of bytes.pieces(context)) {
    const text = decode(position === 0 ? piece.subarray(markBytes) : piece, 'more follow');
    if (text === null) return { malformed: hasSeenUtf8() || isMostlyUtf8(piece) ? 'damaged' : 'other' };
    position += piece.length;
    chars += text.length;
    const state = picker.take(text);
    const isCounted = Math.max(bytes.size, position) <= COUNTED_BYTES_MAX;
    if (state === 'done' || (state === 'full' && !isCounted)) return picker.picked('before');
  }
  const rest = decode(new Uint8Array(), 'last');
  if (rest === null) return { malformed: hasSeenUtf8() ? 'damaged' : 'other' };
  picker.take(rest);
  return picker.picked('at the end');
}

type Reading = TextEncoding | 'damaged utf-8';
/** The text of the next bytes; null if they are not what the encoding promises. */
type Decode = (bytes: Uint8Array, place: 'last' | 'more follow') => string | null;

function decoderOf(reading: Reading): Decode {
  if (reading === 'windows-1252') return decodeWindows1252;
  const isDamaged = reading === 'damaged utf-8';
  const decoder = new TextDecoder(isDamaged ? 'utf-8' : reading, { fatal: !isDamaged, ignoreBOM: true });
  return (bytes, place) => orNull(() => decoder.decode(bytes, { stream: place === 'more follow' }));
}

/** Old single-byte text has hardly a sequence that UTF-8 would have, damaged UTF-8 hardly one that it would not. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes);
  const bad = text.match(/\ufffd/g)?.length ?? 0;
  const good = text.match(/[^\0-\x7f\ufffd]/g)?.length ?? 0;
  return good > 0 && good >= bad;
}

const binary = ({ beginning }: FileBytes, shown: string): ToolFailure =>
  new ToolFailure({ code: 'binary_file', path: shown, mimeType: guessMimeType(beginning, shown) });
