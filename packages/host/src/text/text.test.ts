import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesInWords } from './bytes-in-words.js';
import { decodeText } from './decode-text.js';
import { encodeText } from './encode-text.js';
import { countLines, splitLines } from './lines.js';
import { guessMimeType } from './mime-type.js';
import type { TextEncoding } from './text-format.js';

const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

describe('decoding', () => {
  test.each([
    ['plain', Buffer.from('a\nb\n'), 'a\nb\n', 'utf-8', false, '\n', true],
    ['accents', Buffer.from('é→😀'), 'é→😀', 'utf-8', false, '\n', false],
    ['UTF-8 with mark', Buffer.from('\ufeffa\r\nb'), 'a\r\nb', 'utf-8', true, '\r\n', false],
    ['UTF-16 LE', Buffer.from('\ufeffé😀\r\n', 'utf16le'), 'é😀\r\n', 'utf-16le', true, '\r\n', true],
    ['UTF-16 BE', utf16be('\ufeffé😀\n'), 'é😀\n', 'utf-16be', true, '\n', true],
    ['UTF-16 LE, unmarked', Buffer.from('a é\r\n', 'utf16le'), 'a é\r\n', 'utf-16le', false, '\r\n', true],
    ['UTF-16 BE, unmarked', utf16be('Да\n'), 'Да\n', 'utf-16be', false, '\n', true],
    [
      'Windows-1252',
      Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x20, 0x80, 0x93, 0x0a]),
      'café €“\n',
      'windows-1252',
      false,
      '\n',
      true,
    ],
    ['mixed line ends', Buffer.from('a\nb\r\nc'), 'a\nb\r\nc', 'utf-8', false, 'mixed', false],
    ['empty', Buffer.from(''), '', 'utf-8', false, '\n', false],
    [
      'terminal colours',
      Buffer.from('\x1b[31mred\x1b[0m\n'),
      '\x1b[31mred\x1b[0m\n',
      'utf-8',
      false,
      '\n',
      true,
    ],
  ])('%s [T3]', (_, bytes, text, encoding, bom, lineEnding, finalNewline) => {
    expect(decodeText(bytes)).toEqual({ text, encoding, bom, lineEnding, finalNewline });
  });

  test.each([
    ['a NUL byte', Buffer.from('text\0text')],
    [
      'many control characters',
      Buffer.from(Array.from({ length: 100 }, (_, index) => (index % 4 ? 0x61 : 0x02))),
    ],
    ['a PDF', Buffer.from('%PDF-1.7\nlooks like text\n')],
    ['half a UTF-16 character', Buffer.from([0xff, 0xfe, 0x00, 0xd8])],
    ['an odd number of UTF-16 bytes', Buffer.from([0xff, 0xfe, 0x61, 0x00, 0x62])],
    ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0])],
  ])('%s is no text [T3]', (_, bytes) => {
    expect(decodeText(bytes)).toBe(null);
  });

  test('whatever is decoded is encoded to the same bytes again [T4]', () => {
    const body = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc.string({ unit: 'grapheme' }).map((text) => Buffer.from(text)),
      fc.string({ unit: 'grapheme' }).map((text) => Buffer.from(text, 'utf16le')),
    );
    const mark = fc.constantFrom([], [0xef, 0xbb, 0xbf], [0xff, 0xfe], [0xfe, 0xff]);
    fc.assert(
      fc.property(mark, body, (before, after) => {
        const bytes = Buffer.concat([Buffer.from(before), after]);
        const decoded = decodeText(bytes);
        if (decoded === null) return;
        const encoded = encodeText(decoded.text, decoded.encoding, decoded.bom);
        expect(encoded).toEqual({ ok: true, bytes });
      }),
      { numRuns: 500 },
    );
  });
});

describe('encoding', () => {
  test.each<[string, TextEncoding, string, string]>([
    ['a → b', 'windows-1252', '"→" (U+2192)', 'an arrow'],
    ['ok 😀', 'windows-1252', '"😀" (U+1F600)', 'an emoji'],
    ['\ud83d', 'utf-8', 'half character U+D83D', 'half a pair'],
    ['x\udc00', 'utf-16le', 'half character U+DC00', 'the other half'],
  ])('%j cannot be stored as %s: %s is named [T4]', (text, encoding, character) => {
    expect(encodeText(text, encoding, false)).toEqual({ ok: false, character });
  });
});

test.each([
  ['', 0],
  ['a', 1],
  ['a\n', 1],
  ['\n', 1],
  ['a\nb', 2],
  ['a\r\nb\n\n', 3],
])('%j has %i lines', (text, count) => {
  expect(countLines(text)).toBe(count);
  expect(splitLines(text)).toHaveLength(count);
  expect(splitLines(text).join('')).toBe(text);
});

test.each([
  ['magic bytes', Buffer.from('\x89PNG\r\n\x1a\n…', 'latin1'), 'wrong.pdf', 'image/png'],
  ['the extension', Buffer.from([0, 1, 2]), 'a.MP4', 'video/mp4'],
  ['nothing known', Buffer.from([0, 1, 2]), 'a', 'application/octet-stream'],
  ['a name that objects have by birth', Buffer.from([0]), 'x.constructor', 'application/octet-stream'],
])('the type is guessed by %s', (_, bytes, name, mimeType) => {
  expect(guessMimeType(bytes, name)).toBe(mimeType);
});

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1_023, '1023 bytes'],
  [1_024, '1.0 KB'],
  [1_048_575, '1.0 MB'],
  [1_258_291, '1.2 MB'],
  [1_610_612_736, '1.5 GB'],
  [5_000_000_000_000_000, '4547.5 TB'],
])('%i bytes are %s in words', (bytes, words) => {
  expect(bytesInWords(bytes)).toBe(words);
});
