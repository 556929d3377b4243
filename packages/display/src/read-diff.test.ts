import { expect, test } from 'vitest';
import { readDiff } from './read-diff.js';
import { lineOf, textOf } from './visible-text.js';

const rowsOf = (diff: string) => readDiff(diff.split('\n').map((line) => lineOf(line, 'one line')));
const shown = (diff: string) =>
  rowsOf(diff).map(
    ({ kind, before, after, line }) => `${kind} ${before ?? '-'} ${after ?? '-'} ${textOf(line)}`,
  );

const DIFF = `--- a/x
+++ b/x
@@ -3,3 +3,4 @@
 three
-four
+vier
+viereinhalb
 five`;

test('every line of a diff has its kind and where it stands, before and after', () => {
  expect(shown(DIFF)).toEqual([
    'remark - - @@ -3,3 +3,4 @@',
    'same 3 3 three',
    'removed 4 - four',
    'added - 4 vier',
    'added - 5 viereinhalb',
    'same 5 6 five',
  ]);
});

test('content that looks like the header of a diff is shown: only a real header is omitted [A7]', () => {
  expect(shown('@@ -1,1 +1,1 @@\n--- a secret\n+++ b/x')).toEqual([
    'remark - - @@ -1,1 +1,1 @@',
    'removed 1 - -- a secret',
    'added - 1 ++ b/x',
  ]);
  expect(shown('--- a/x\n+++ b/x\nno hunk')).toHaveLength(3);
});

test('a sign that is part of hidden characters loses nothing else', () => {
  expect(shown('@@ -1,0 +1,1 @@\n+\u202eevil')[1]).toBe('added - 1 \\u{202e}evil');
});

test('what stands before the first hunk has no place in the file', () => {
  expect(shown('+x\n@@ -5 +7 @@\n+y')).toEqual(['added - - x', 'remark - - @@ -5 +7 @@', 'added - 7 y']);
});
