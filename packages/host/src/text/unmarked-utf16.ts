import { orNull } from '../or-null.js';

type Utf16 = 'utf-16le' | 'utf-16be';

/**
 * Whether bytes with zeros among them are UTF-16 that forgot its byte order mark; `beginning` may be cut anywhere.
 * Zeros are its sign: they are the high halves of ASCII, of which every script has some. What is taken for text here
 * would be refused otherwise, so that every doubt counts against it.
 */
export function unmarkedUtf16(beginning: Uint8Array): Utf16 | null {
  if (beginning.length % 2 !== 0) return null;
  const unitsPerAscii = isPlainBesidesZeros(beginning) ? UNITS_PER_ASCII_IN_LATIN : UNITS_PER_ASCII;
  const isLikely = (ascii: number) => ascii * unitsPerAscii >= beginning.length / 2;
  const little = { encoding: 'utf-16le', ascii: zerosIn(beginning, 1) } as const;
  const big = { encoding: 'utf-16be', ascii: zerosIn(beginning, 0) } as const;
  const orders = little.ascii >= big.ascii ? [little, big] : [big, little];
  const found = orders.find(({ encoding, ascii }) => isLikely(ascii) && isText(beginning, encoding));
  return found?.encoding ?? null;
}

const UNITS_PER_ASCII = 100; // Chinese may have nothing but a line break after every hundred characters
const UNITS_PER_ASCII_IN_LATIN = 2; // fewer are the zeros between names that `find -print0` writes

function zerosIn(bytes: Uint8Array, first: 0 | 1): number {
  let count = 0;
  for (let at = first; at < bytes.length; at += 2) if (bytes[at] === 0) count += 1;
  return count;
}

const isPlainBesidesZeros = (bytes: Uint8Array): boolean =>
  !/[\x01-\x07\x0e-\x1a\x1c-\x1f\x7f\ufffd]/.test(new TextDecoder().decode(bytes, { stream: true }));

/** Controls that no text has, and numbers that are no character. */
const NO_TEXT = /[\0-\x07\x0e-\x1a\x1c-\x1f\x7f-\x9f\p{Cn}\p{Co}]/u;

function isText(bytes: Uint8Array, encoding: Utf16): boolean {
  const text = orNull(() => new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true }));
  return text !== null && !NO_TEXT.test(text);
}
