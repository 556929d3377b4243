import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonBytes } from './json-bytes.js';

const textOf = (body: Parameters<typeof jsonBytes>[0]) => Buffer.from(jsonBytes(body)).toString('utf8');

test('a body is what JSON makes of it, at whatever depth [G1]', () => {
  const json = fc.jsonValue({ maxDepth: 8 });
  const plain = fc.dictionary(fc.string(), json, { noNullPrototype: true });
  fc.assert(
    fc.property(plain, (given) => {
      const body = JSON.parse(JSON.stringify(given));
      expect(JSON.parse(textOf(body))).toEqual(body);
      expect(textOf(body)).toBe(JSON.stringify(body));
    }),
  );
});

test('what is sent again is the same, and what is new beside it is seen [G1]', () => {
  const part = { text: 'a “b” 👋' };
  const history = [{ role: 'user', parts: [part] }];
  const first = textOf({ contents: history });
  expect(textOf({ contents: history })).toBe(first);
  const later = [...history, { role: 'user', parts: [part, { text: 'c' }] }];
  expect(textOf({ contents: later })).toBe(JSON.stringify({ contents: later }));
});

test('half a character harms no request, wherever it stands [G1]', () => {
  const half = '👋'.slice(0, 1);
  const body = { [half]: half, contents: [{ parts: [{ text: half }] }] };
  expect(textOf(body)).toBe('{"\ufffd":"\ufffd","contents":[{"parts":[{"text":"\ufffd"}]}]}');
});
