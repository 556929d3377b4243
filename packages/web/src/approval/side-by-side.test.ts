import { lineOf, readDiff, textOf } from '@countersign/display';
import { expect, test } from 'vitest';
import { sideBySide } from './side-by-side.js';

const rowsOf = (diff: string) => readDiff(diff.split('\n').map((line) => lineOf(line, 'one line')));

const DIFF = `--- a/x
+++ b/x
@@ -3,3 +3,4 @@
 three
-four
+vier
+viereinhalb
 five`;

test('removed lines and their replacements are side by side', () => {
  const pairs = sideBySide(rowsOf(DIFF)).map(({ left, right }) => [
    left && textOf(left.line),
    right && textOf(right.line),
  ]);
  expect(pairs.slice(1)).toEqual([
    ['three', 'three'],
    ['four', 'vier'],
    [null, 'viereinhalb'],
    ['five', 'five'],
  ]);
});
