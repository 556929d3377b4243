import { isAscii } from 'node:buffer';
import { orNull } from '../or-null.js';
import { provenMimeType } from './mime-type.js';
import { BYTE_ORDER_MARKS, type LineEnding, type TextEncoding, type TextFormat } from './text-format.js';
import { unmarkedUtf16 } from './unmarked-utf16.js';
import { decodeWindows1252 } from './windows-1252.js';

export type DecodedText = TextFormat & {
  /** Without the byte order mark. */
  readonly text: string;
};

const SAMPLE_BYTES = 8_192; // what Git looks at, too
const CONTROL_SHARE_MAX = 0.1; // text has hardly any control characters, compressed data one in eight

/** The text in these bytes; null if they are something else. */
export function decodeText(bytes: Uint8Array): DecodedText | null {
  const storage = storageOf(bytes);
  if (storage === null) return null;
  const { encoding, bom } = storage;
  const body = bytes.subarray(bom ? BYTE_ORDER_MARKS[encoding].length : 0);
  const text = decodeStrictly(body, encoding);
  if (text !== null) return described(text, encoding, bom);
  // A mark promises an encoding; without one, old single-byte text is the likeliest left.
  return encoding === 'utf-8' && !bom ? described(decodeWindows1252(body), 'windows-1252', false) : null;
}

/** How text is stored, judged by its beginning: UTF-8 until bytes turn up that are not. null for what is no text. */
export function storageOf(beginning: Uint8Array): Pick<TextFormat, 'encoding' | 'bom'> | null {
  const sample = beginning.subarray(0, SAMPLE_BYTES);
  const marked = markedEncoding(sample);
  if (marked !== null) return isPlausible(sample, marked) ? { encoding: marked, bom: true } : null;
  if (!looksBinary(sample)) return { encoding: 'utf-8', bom: false };
  const guessed = provenMimeType(sample) === null ? unmarkedUtf16(sample) : null;
  return guessed && { encoding: guessed, bom: false };
}

/** The encoding that a byte order mark announces; null without one. */
function markedEncoding(bytes: Uint8Array): TextEncoding | null {
  const begins = (mark: readonly number[]) => mark.every((byte, index) => bytes[index] === byte);
  if (begins(BYTE_ORDER_MARKS['utf-8'])) return 'utf-8';
  if (begins([0xff, 0xfe, 0x00, 0x00])) return null; // UTF-32, which is not used for source
  if (begins(BYTE_ORDER_MARKS['utf-16le'])) return 'utf-16le';
  if (begins(BYTE_ORDER_MARKS['utf-16be'])) return 'utf-16be';
  return null;
}

/** Whether the beginning of unmarked bytes can't be text. */
export function looksBinary(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  if (sample.includes(0) || provenMimeType(sample) !== null) return true;
  // Not byte by byte: until V8 has compiled it, a loop over thousands of them takes longer than the read.
  const controls = asLatin1(sample).match(CONTROLS)?.length ?? 0;
  return controls > sample.length * CONTROL_SHARE_MAX;
}

/** Without tab, line breaks, form feed, backspace and escape, which occur in texts and terminal logs. */
const CONTROLS = new RegExp(String.raw`[\x00-\x07\x0e-\x1a\x1c-\x1f\x7f]`, 'g');

const asLatin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');

function decodeStrictly(bytes: Uint8Array, encoding: TextEncoding): string | null {
  // Five times as fast, and most source is nothing else.
  if (encoding === 'utf-8' && isAscii(bytes)) return asLatin1(bytes);
  return orNull(() => new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes));
}

/** Two bytes that happen to look like a mark do not make the rest text. */
const isPlausible = (sample: Uint8Array, encoding: TextEncoding): boolean =>
  !new TextDecoder(encoding).decode(sample).includes('\0');

const described = (text: string, encoding: TextEncoding, bom: boolean): DecodedText => ({
  text,
  encoding,
  bom,
  lineEnding: lineEndingOf(text),
  finalNewline: text.endsWith('\n'),
});

export function lineEndingOf(text: string): LineEnding {
  if (!text.includes('\r\n')) return '\n';
  let withReturn = false;
  let without = false;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    if (at > 0 && text[at - 1] === '\r') withReturn = true;
    else without = true;
    if (withReturn && without) return 'mixed';
  }
  return withReturn ? '\r\n' : '\n';
}
