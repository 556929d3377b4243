/**
 * The code page Windows calls 1252, by hand: Node's decoder takes it for
 * ISO 8859-1 in several releases. The five bytes without a character stand for
 * the control character of the same number, so that every byte survives.
 */
const HIGH = [
  0x20ac, 0x81, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8d,
  0x017d, 0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a,
  0x0153, 0x9d, 0x017e, 0x0178,
];
const FIRST_HIGH = 0x80;

const CHARACTER_BY_BYTE = HIGH.map((codePoint) => String.fromCharCode(codePoint));
const BYTE_BY_CODE = new Map(HIGH.map((codePoint, index) => [codePoint, FIRST_HIGH + index]));

export function decodeWindows1252(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .replace(
      /[\x80-\x9f]/g,
      (character) => CHARACTER_BY_BYTE[character.charCodeAt(0) - FIRST_HIGH] ?? character,
    );
}

/** The bytes, or the first character that the code page lacks. */
export function encodeWindows1252(text: string): Buffer | { readonly lacks: string } {
  const bytes = Buffer.allocUnsafe(text.length);
  for (let index = 0; index < text.length; index += 1) {
    const byte = byteOf(text.charCodeAt(index));
    if (byte === null) return { lacks: String.fromCodePoint(text.codePointAt(index) ?? 0xfffd) };
    bytes[index] = byte;
  }
  return bytes;
}

function byteOf(code: number): number | null {
  if (code < FIRST_HIGH || (code >= 0xa0 && code <= 0xff)) return code;
  return BYTE_BY_CODE.get(code) ?? null;
}
