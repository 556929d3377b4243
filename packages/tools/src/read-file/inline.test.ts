import { truncateSync } from 'node:fs';
import { deflateSync, gzipSync } from 'node:zlib';
import { failureOf, type TemporaryWorkspace, temporaryWorkspace } from '@countersign/host/testing';
import { explain, type JsonObject } from '@countersign/protocol';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { carryOut } from '../testing/carry-out.js';
import { readFile } from './read-file.js';

let place: TemporaryWorkspace;
beforeEach(() => {
  place = temporaryWorkspace();
});
afterEach(() => place.remove());

const carry = (args: JsonObject) => carryOut(readFile, args, { workspace: place.workspace });
const latin1 = (text: string) => Buffer.from(text, 'latin1');

/** A PNG of one red dot, with lengths and (zeroed) checksums where they belong. */
function png(): Buffer {
  const chunk = (type: string, data: Uint8Array) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, latin1(type), data, Buffer.alloc(4)]);
  };
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0]);
  const dot = deflateSync(Buffer.from([0, 255, 0, 0]));
  const chunks = [chunk('IHDR', header), chunk('IDAT', dot), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([latin1('\x89PNG\r\n\x1a\n'), ...chunks]);
}

describe('an image or PDF', () => {
  test.each([
    ['image/png', png()],
    ['image/jpeg', latin1('\xff\xd8\xff\xe0\0\x10JFIF\0')],
    ['image/gif', latin1('GIF89a\x01\0\x01\0\x80\0\0')],
    ['image/webp', latin1('RIFF\x1a\0\0\0WEBPVP8L')],
    ['image/bmp', latin1(`BM\x3a\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0${'\0'.repeat(40)}`)],
    ['image/heic', latin1('\0\0\0\x18ftypheic\0\0\0\0mif1heic')],
    ['image/avif', latin1('\0\0\0\x1cftypavif\0\0\0\0mif1avif')],
    ['application/pdf', latin1('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj\n')],
    ['application/pdf', Buffer.from('%PDF-1.4\nall of it is plain text\n')],
  ])(
    'is given as inline data, recognised as %s by its bytes and not by its name [T3]',
    async (mimeType, bytes) => {
      place.put('misnamed.txt', bytes);
      const { result } = await carry({ file_path: 'misnamed.txt' });
      expect(result).toEqual({
        llmContent: { inlineData: { mimeType, data: bytes.toString('base64') } },
        returnDisplay: `Read misnamed.txt (${mimeType}, ${bytes.length} bytes)`,
      });
    },
  );

  test('of several megabytes comes whole [T3]', async () => {
    const bytes = Buffer.concat([png(), Buffer.alloc(3_000_000, 'pixels')]);
    place.put('large.png', bytes);
    const { result } = await carry({ file_path: 'large.png' });
    expect(result).toMatchObject({ llmContent: { inlineData: { data: bytes.toString('base64') } } });
    expect(result.returnDisplay).toBe('Read large.png (image/png, 2.9 MB)');
  });

  test('too large to be shown is refused before it is read, with its size and the limit [T3]', async () => {
    truncateSync(place.put('huge.png', png()), 20_000_001);
    const failure = await failureOf(carry({ file_path: 'huge.png' }));
    expect(failure).toEqual({
      code: 'media_too_large',
      path: 'huge.png',
      mimeType: 'image/png',
      bytes: 20_000_001,
      bytesMax: 20_000_000,
    });
    expect(explain(failure).hint).toContain('smaller copy');
  });

  test('that is text by nature is read as text [T3]', async () => {
    place.put('a.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>\n');
    expect((await carry({ file_path: 'a.svg' })).result.llmContent).toContain('<svg');
  });

  test('that it is only by name is read as what it is', async () => {
    place.put('notes.png', 'these are notes\n');
    expect((await carry({ file_path: 'notes.png' })).result.llmContent).toBe('these are notes\n');
  });
});

test.each([
  ['audio/mpeg', latin1('ID3\x04\0\0\0\0\0\0')],
  ['audio/wav', latin1('RIFF\x24\0\0\0WAVEfmt ')],
  ['audio/ogg', latin1('OggS\0\x02\0\0\0\0')],
  ['audio/flac', latin1('fLaC\0\0\0\x22')],
])('a recording is given as it is, %s [T3]', async (mimeType, bytes) => {
  place.put('misnamed.txt', bytes);
  const { result } = await carry({ file_path: 'misnamed.txt' });
  expect(result.llmContent).toEqual({ inlineData: { mimeType, data: bytes.toString('base64') } });
});

describe('what is neither text nor an image nor a PDF', () => {
  test.each([
    ['application/x-elf', latin1(`\x7fELF\x02\x01\x01${'\0'.repeat(9)}`)],
    ['application/gzip', gzipSync('text')],
    ['application/zip', latin1('PK\x03\x04\x14\0\0\0')],
    ['application/vnd.sqlite3', latin1('SQLite format 3\0\x10\0')],
    ['application/wasm', latin1('\0asm\x01\0\0\0')],
    ['application/java-vm', latin1('\xca\xfe\xba\xbe\0\0\0\x34')],
    ['application/x-mach-binary', latin1('\xcf\xfa\xed\xfe\x07\0\0\x01')],
    ['application/vnd.microsoft.portable-executable', latin1('MZ\x90\0\x03\0\0\0')],
    ['application/x-tar', Buffer.concat([Buffer.alloc(257), Buffer.from('ustar\x0000')])],
    ['font/woff2', latin1('wOF2\0\x01\0\0')],
    ['video/mp4', latin1('\0\0\0\x20ftypisom\0\0\x02\0')],
    [
      'video/webm',
      latin1(
        '\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\xf7\x81\x01\x42\xf2\x81\x04\x42\xf3\x81\x08\x42\x82\x84webm',
      ),
    ],
    ['application/octet-stream', Buffer.from([0, 1, 2, 3])],
  ])('is refused with its type, %s [T3]', async (mimeType, bytes) => {
    place.put('misnamed.txt', bytes);
    const failure = await failureOf(carry({ file_path: 'misnamed.txt', end_line: 1 }));
    expect(failure).toEqual({ code: 'binary_file', path: 'misnamed.txt', mimeType });
    expect(explain(failure).message).toBe(`misnamed.txt is not text (${mimeType}).`);
  });

  test('is named for what it is packed as, where only the name shows it [T3]', async () => {
    place.put('report.docx', latin1('PK\x03\x04\x14\0\x06\0'));
    expect(await failureOf(carry({ file_path: 'report.docx' }))).toMatchObject({
      mimeType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    });
  });

  test.each([
    'MZ is a group of chords\n',
    'ID3 tags hold titles\n',
    'OTTO\n',
    'BM, a museum\n',
    'RIFF raff\n',
  ])('%j is text, although a binary format begins like it [T3]', async (text) => {
    place.put('a', text);
    expect((await carry({ file_path: 'a' })).result.llmContent).toBe(text);
  });
});
