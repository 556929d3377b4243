import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MessageLines } from './message-lines.js';
import { answerTooLong, readMessages, UNUSABLE_ANSWER } from './read-message.js';

function linesOf(bytes: Buffer, cuts: readonly number[], bytesMax = 1_000): string[] {
  const received: string[] = [];
  const lines = new MessageLines(
    bytesMax,
    (line) => received.push(line),
    () => received.push('too long'),
  );
  let from = 0;
  for (const cut of [...cuts.map((each) => each % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)) {
    lines.push(bytes.subarray(from, cut));
    from = cut;
  }
  return received;
}

test('lines are the same wherever the stream is cut, inside characters too', () => {
  const text = 'first\nzweite – ü\n\n{"a":"€"}\nrest';
  fc.assert(
    fc.property(fc.array(fc.nat(100)), (cuts) => {
      expect(linesOf(Buffer.from(text), cuts)).toEqual(['first', 'zweite – ü', '', '{"a":"€"}']);
    }),
  );
});

test('a line that is too long is reported and hides no other', () => {
  expect(linesOf(Buffer.from(`a\n${'x'.repeat(5_000)}\nb\n`), [7, 900, 3_000])).toEqual([
    'a',
    'too long',
    'b',
  ]);
});

test('which request a line too long belongs to is read from its edges, and only from there', () => {
  const id = (beginning: string, end: string) => {
    const answer = answerTooLong(beginning, end, 10);
    return answer && 'id' in answer ? answer.id : null;
  };
  expect(id('{"jsonrpc":"2.0","id":7,"result":{"x":"', '"}}')).toBe(7);
  expect(id('{"result":{"content":[{"text":"', '"}]},"jsonrpc":"2.0","id":8}')).toBe(8);
  expect(id('{"result":{"x":"', '","id":9}}')).toBeNull();
});

test.each([
  ['{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"x"}}', 'both'],
  ['{"jsonrpc":"2.0","id":1}', 'neither'],
  ['{"id":1,"result":"text"}', 'neither'],
])('what answers, but not as an answer may look, fails its request: %s', (line, words) => {
  expect(readMessages(line)).toMatchObject([{ id: 1, error: { code: UNUSABLE_ANSWER } }]);
  expect(JSON.stringify(readMessages(line))).toContain(words);
});

test.each(['', 'ready', '5', '"x"', '{}', '{"id":null,"result":{}}', '{"jsonrpc":"2.0","method":5}'])(
  'what is no message is none: %s',
  (line) => {
    expect(readMessages(line)).toEqual([]);
  },
);
