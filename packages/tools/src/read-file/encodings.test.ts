import { failureOf, type TemporaryWorkspace, temporaryWorkspace } from '@countersign/host/testing';
import type { JsonObject } from '@countersign/protocol';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { carryOut } from '../testing/carry-out.js';
import { readFile } from './read-file.js';

let place: TemporaryWorkspace;
beforeEach(() => {
  place = temporaryWorkspace();
});
afterEach(() => place.remove());

const carry = (args: JsonObject) => carryOut(readFile, args, { workspace: place.workspace });
async function readBytes(bytes: Uint8Array | string, args: JsonObject = {}) {
  place.put('a', bytes);
  return (await carry({ file_path: 'a', ...args })).result;
}

const BORDERS = [65_536, 65_536 + 262_144]; // where one piece of a file ends and the next begins
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

test.each([
  ['UTF-16 LE', 'with a mark', Buffer.from('\ufeffé😀\nzwei\n', 'utf16le')],
  ['UTF-16 BE', 'with a mark', utf16be('\ufeffé😀\nzwei\n')],
  ['UTF-16 LE', 'without one', Buffer.from('é😀\nzwei\n', 'utf16le')],
  ['UTF-16 BE', 'without one', utf16be('é😀\nzwei\n')],
])('%s %s is read [T3]', async (name, _, bytes) => {
  expect(await readBytes(bytes)).toEqual({
    llmContent: 'é😀\nzwei\n',
    returnDisplay: `Read 2 lines of a (${name})`,
  });
});

test.each([
  ['Russian', 'Привет, мир.\nВторая строка.\n'],
  ['Chinese', `${'漢字假名交じり文の試験'.repeat(6)}\n${'第二行'.repeat(20)}\n`],
  ['Greek', 'Καλημέρα κόσμε\n'],
])('UTF-16 without a mark is recognised in %s, in both byte orders [T3]', async (_, text) => {
  expect((await readBytes(Buffer.from(text, 'utf16le'))).llmContent).toBe(text);
  expect((await readBytes(utf16be(text))).llmContent).toBe(text);
});

test.each([
  ['names separated by zeros', Buffer.from('résumé.txt\0notes.txt\0a.txt\0')],
  ['plain text with one zero', Buffer.from('text\0tex')],
  ['small numbers of two bytes', Buffer.from(Uint16Array.from({ length: 64 }, (_, index) => index).buffer)],
  ['UTF-16 with zeros of its own', Buffer.from('\ufeffa\0b', 'utf16le')],
  ['an odd number of bytes', Buffer.concat([Buffer.from('text\n', 'utf16le'), Buffer.from('x')])],
])('%s is not taken for UTF-16 [T3]', async (_, bytes) => {
  place.put('a', bytes);
  expect((await failureOf(carry({ file_path: 'a' }))).code).toBe('binary_file');
});

test.each([
  ['é', 2],
  ['→', 3],
  ['😀', 4],
])('a %s that lies across the border of two pieces stays whole [T3]', async (character, bytes) => {
  for (const border of BORDERS) {
    for (let before = 1; before < bytes; before += 1) {
      const text = `${'x\n'.repeat(border / 2).slice(before)}${character}end`;
      const start = Buffer.byteLength(text.slice(0, text.indexOf(character)));
      expect([start < border, start + bytes > border]).toEqual([true, true]);
      const line = text.split('\n').length;
      const { llmContent } = await readBytes(text, { start_line: line, end_line: line });
      expect(llmContent).toBe(text.slice(text.lastIndexOf('\n') + 1));
    }
  }
});

test('so does a UTF-16 character of two units [T3]', async () => {
  const text = `${'x\n'.repeat(BORDERS[0] ?? 0).slice(0, 32_767)}😀\n`;
  const line = text.split('\n').length - 1;
  const { llmContent } = await readBytes(Buffer.from(text, 'utf16le'), { start_line: line, end_line: line });
  expect(llmContent).toBe('x😀\n');
});

test('old single-byte text is recognised wherever its first accent is, also as the last byte of a piece [T3]', async () => {
  for (const at of [3, ...BORDERS.flatMap((border) => [border - 2, border - 1, border])]) {
    const bytes = Buffer.alloc(at + 40, 'x\n');
    bytes.set([0xe9, 0x20, 0x80, 0x0a], at);
    place.put('a', bytes);
    const line = bytes.subarray(0, at).toString('latin1').split('\n').length;
    const { result } = await carry({ file_path: 'a', start_line: line, end_line: line });
    expect(result.llmContent).toMatch(/^x?é €\n$/);
    expect(result.returnDisplay).toContain('(Windows-1252)');
  }
});

test('UTF-8 with a few bad bytes stays UTF-8, with a note [T3]', async () => {
  const bytes = Buffer.concat([
    Buffer.from('Grüße, 日本\n'),
    Buffer.from([0xff, 0x0a]),
    Buffer.from('naïve\n'),
  ]);
  expect(await readBytes(bytes)).toEqual({
    llmContent: '[Bytes that are not UTF-8 are shown as "\ufffd".]\nGrüße, 日本\n\ufffd\nnaïve\n',
    returnDisplay: 'Read 3 lines of a (damaged UTF-8)',
  });
  const cutShort = Buffer.from('日本語').subarray(0, -1);
  expect((await readBytes(cutShort)).llmContent).toContain('日本\ufffd');
  expect((await readBytes(Buffer.from('né→').subarray(0, -1))).llmContent).toContain('né\ufffd');
  const far = Buffer.concat([Buffer.from(`日本語\n${'x\n'.repeat(200_000)}`), Buffer.from([0xff, 0x0a])]);
  expect((await readBytes(far, { start_line: 1, end_line: 1 })).llmContent).toBe('日本語\n');
  expect((await readBytes(far, { start_line: 200_002 })).llmContent).toMatch(/\n\ufffd\n$/);
});

test('a lone carriage return is a character like any other, and is given as it is [T3]', async () => {
  expect(await readBytes('one\rtwo\rthree')).toEqual({
    llmContent: 'one\rtwo\rthree',
    returnDisplay: 'Read 1 line of a',
  });
});

test('a line break of two characters may lie across the border of two pieces [T3]', async () => {
  const text = `${'a\r\n'.repeat(30_000).slice(0, 65_535)}`;
  expect(text.endsWith('a\r\n')).toBe(true);
  const { returnDisplay } = await readBytes(`x${text}b\r\n`.replace('x', ''), { start_line: 21_845 });
  expect(returnDisplay).toBe('Read lines 21845-21846 of a (CRLF)');
});
