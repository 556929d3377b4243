import { unifiedDiff } from '@countersign/host';
import { expect, test } from 'vitest';
import { madeDiffs } from './edit-diffs.js';

const path = '/w/a.txt';
const made = (before: string | null, after: string) =>
  madeDiffs({ filePath: path, fileDiff: unifiedDiff('a.txt', before, after).text }, null);
const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => `${from + n}\n`).join('');

test('each changed place is a diff of its own, with the line it is on [M5]', () => {
  const before = lines(1, 40);
  const after = before.replace('5\n', 'five\n').replace('30\n', '');
  expect(made(before, after)).toEqual({
    content: [
      { type: 'diff', path, oldText: lines(2, 8), newText: lines(2, 8).replace('5', 'five') },
      { type: 'diff', path, oldText: lines(27, 33), newText: lines(27, 29) + lines(31, 33) },
    ],
    locations: [
      { path, line: 2 },
      { path, line: 27 },
    ],
  });
});

test.each([
  ['without a line feed at the end', 'a', 'b'],
  ['that gains one', 'a', 'a\n'],
  ['that loses one', 'x\na\n', 'x\na'],
  ['with lines that look like those of a diff', '-- a\n@@ -1 +1 @@\n', '++ b\n@@ -1 +1 @@\n\\ No\n'],
  ['with the line ends of Windows', 'a\r\nb\r\n', 'a\r\nc\r\n'],
  ['that becomes empty', 'a\n', ''],
])('a change of a file %s keeps both texts [M5]', (_, before, after) => {
  expect(made(before, after)?.content).toEqual([{ type: 'diff', path, oldText: before, newText: after }]);
});

test('a new file has nothing before it [M5]', () => {
  expect(made(null, 'a\n')?.content).toEqual([{ type: 'diff', path, oldText: null, newText: 'a\n' }]);
});

test('what is no edit has no diff', () => {
  for (const display of [null, 'text', 7, [], { fileDiff: 7, filePath: 'a' }, { todos: [] }])
    expect(madeDiffs(display, null)).toBeNull();
});
