import { BYTE_ORDER_MARKS, type TextEncoding } from './text-format.js';
import { encodeWindows1252 } from './windows-1252.js';

export type Encoded =
  | { readonly ok: true; readonly bytes: Buffer }
  /** In words, e.g. `"→" (U+2192)`. */
  | { readonly ok: false; readonly character: string };

/** The bytes that store a text in a given encoding, or the first character that it can't express. */
export function encodeText(text: string, encoding: TextEncoding, bom: boolean): Encoded {
  const half = /\p{Surrogate}/u.exec(text)?.[0];
  if (half !== undefined) return { ok: false, character: `half character ${codePointOf(half)}` };
  const body = encodeBody(text, encoding);
  if (!Buffer.isBuffer(body)) return { ok: false, character: `"${body.lacks}" (${codePointOf(body.lacks)})` };
  return { ok: true, bytes: bom ? Buffer.concat([Buffer.from(BYTE_ORDER_MARKS[encoding]), body]) : body };
}

function encodeBody(text: string, encoding: TextEncoding): Buffer | { readonly lacks: string } {
  switch (encoding) {
    case 'utf-8':
      return Buffer.from(text, 'utf8');
    case 'utf-16le':
      return Buffer.from(text, 'utf16le');
    case 'utf-16be':
      return Buffer.from(text, 'utf16le').swap16();
    case 'windows-1252':
      return encodeWindows1252(text);
  }
}

const codePointOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
