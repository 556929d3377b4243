export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

export type LineEnding = '\n' | '\r\n' | 'mixed';

/** How a text is stored: what a rewrite of the file keeps. */
export type TextFormat = {
  readonly encoding: TextEncoding;
  /** Whether the file begins with a byte order mark. */
  readonly bom: boolean;
  readonly lineEnding: LineEnding;
  readonly finalNewline: boolean;
};

export const BYTE_ORDER_MARKS: { readonly [E in TextEncoding]: readonly number[] } = {
  'utf-8': [0xef, 0xbb, 0xbf],
  'utf-16le': [0xff, 0xfe],
  'utf-16be': [0xfe, 0xff],
  'windows-1252': [],
};

const ENCODING_NAMES: { readonly [E in TextEncoding]: string } = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  'windows-1252': 'Windows-1252',
};

/** What is unusual about a format, in words; empty for plain UTF-8 with `\n`. */
export function formatRemarks(format: Pick<TextFormat, 'encoding' | 'bom' | 'lineEnding'>): string[] {
  const remarks: string[] = [];
  if (format.encoding !== 'utf-8') remarks.push(ENCODING_NAMES[format.encoding]);
  else if (format.bom) remarks.push('UTF-8 with BOM');
  if (format.lineEnding === '\r\n') remarks.push('CRLF');
  if (format.lineEnding === 'mixed') remarks.push('mixed line endings');
  return remarks;
}

export const encodingName = (encoding: TextEncoding): string => ENCODING_NAMES[encoding];
