import { stopwatch } from '@countersign/testkit';
import { expect, test } from 'vitest';
import { jsonValues } from './json-lines.js';

/** What comes of a text that arrives in pieces of this many bytes. */
async function read(text: string, pieceBytes = 7) {
  const bytes = Buffer.from(text);
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  }
  const found: string[] = [];
  for await (const framed of jsonValues(pieces())) {
    found.push(`${framed.line}: ${framed.ok ? JSON.stringify(framed.value) : 'broken'}`);
  }
  return found;
}

test.each([
  ['one a line, however they are cut up', '{"a":"ä€😀"}\n[1]\r\n\n3', ['1: {"a":"ä€😀"}', '2: [1]', '4: 3']],
  [
    'one over many lines',
    '{\n "a": "]{\\"",\n\n "b": [1,\n2]\n}\n{"c":1}',
    ['1: {"a":"]{\\"","b":[1,2]}', '7: {"c":1}'],
  ],
  ['separators that are text', '"a\u2028b\u2029c"\n1', ['1: "a\u2028b\u2029c"', '2: 1']],
  ['a line that is nothing', 'oops\n{"a":1}', ['1: broken', '2: {"a":1}']],
  ['a line that opens and does not go on', '{bad\n{"a":1}', ['1: broken', '2: {"a":1}']],
  ['a line that was cut short', '{"a":{"b":1}\n{"a":2}\n{"a":3}', ['1: broken', '2: {"a":2}', '3: {"a":3}']],
  ['a text that was cut short', '{"a":"b\n{"a":2}', ['1: broken', '2: {"a":2}']],
  ['two on one line', '{"a":1}{"b":1}\n3', ['1: broken', '2: 3']],
  ['a list that lacks a comma', '[\n{"a":1}\n{"b":2}\n]\n{"c":1}', ['1: broken', '5: {"c":1}']],
  [
    'a list with a word that is none',
    '[\n {\'a\': {}},\n {"b":"x"}\n]\n{"c":1}',
    ['1: broken', '5: {"c":1}'],
  ],
  ['a list closed by the wrong bracket', '[\n1\n}\n2', ['1: broken', '4: 2']],
  ['the end in the middle', '[\n1,\n', ['1: broken']],
  ['a bracket that closes nothing', '}\n{"a":1}', ['1: broken', '2: {"a":1}']],
])('%s', async (_, text, expected) => {
  expect(await read(text)).toEqual(expected);
  expect(await read(text, 1_000)).toEqual(expected);
});

test('a long list over many lines is read in time that grows with its length', async () => {
  const items = Array.from({ length: 30_000 }, (_, index) => `  {"id": "${index}",\n   "name": "x"}`);
  const elapsedMs = stopwatch();
  const [found, ...more] = await read(`[\n${items.join(',\n')}\n]\n`, 65_536);
  expect(found?.startsWith('1: [{"id":"0","name":"x"},')).toBe(true);
  expect(more).toEqual([]);
  expect(elapsedMs()).toBeLessThan(3_000);
});
