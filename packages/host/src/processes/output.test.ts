import { describe, expect, test } from 'vitest';
import { headOf, tailOf, textOf, wholeCharacters } from './output.js';

const bytes = (text: string) => Buffer.from(text);

describe('a piece of output', () => {
  const text = 'aé€😀z';

  test('ends with a whole character, wherever it was cut', () => {
    for (let length = 0; length <= bytes(text).length; length += 1)
      expect(text.startsWith(wholeCharacters(bytes(text).subarray(0, length)).toString())).toBe(true);
    expect(wholeCharacters(bytes(text)).toString()).toBe(text);
  });

  test('begins with a whole character, wherever it was cut', () => {
    for (let from = 0; from <= bytes(text).length; from += 1)
      expect(text.endsWith(tailOf(bytes(text).subarray(from)).toString())).toBe(true);
  });

  test('ends and begins with a whole line, if one ends near', () => {
    expect(headOf(bytes('one\ntwo\nthr')).toString()).toBe('one\ntwo\n');
    expect(tailOf(bytes('ne\ntwo\nthree')).toString()).toBe('two\nthree');
    const long = 'x'.repeat(5_000);
    expect(headOf(bytes(`one\n${long}`)).toString()).toBe(`one\n${long}`);
    expect(tailOf(bytes(`${long}\nlast`)).toString()).toBe(`${long}\nlast`);
  });

  test('that is no UTF-8 stays as long as it is', () => {
    const latin1 = Buffer.from('caf\xe9 \xe9\xe9\xe9\xe9', 'latin1');
    expect(textOf(latin1)).toMatch(/^caf\ufffd/);
    expect(wholeCharacters(latin1).length).toBeGreaterThan(latin1.length - 4);
  });
});

test.each([
  ['\u001b[1;31mred\u001b[0m', 'red'],
  ['\u001b]0;title\u0007text', 'text'],
  ['\u001b]8;;https://example.org\u001b\\link\u001b]8;;\u001b\\', 'link'],
  ['\u001b(Bplain\u001b=', 'plain'],
  ['\u001b[2K\u001b[1Gdone', 'done'],
  ['a\tb\r\nc', 'a\tb\r\nc'],
  ['\u001b]unended', 'unended'],
])('%j reads %j', (raw, shown) => {
  expect(textOf(bytes(raw))).toBe(shown);
});
