import { columnsOf, lineOf } from '@countersign/display';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadGrammars } from '../text/highlight.js';
import { plainText } from '../text/styled.js';
import { DiffDrawing, diffRows } from './diff-rows.js';
import { wordMarks } from './word-marks.js';

const linesOf = (text: string) => text.split('\n').map((line) => lineOf(line, 'one line'));
const drawn = (text: string, columns = 60, rowsMax = 50, language = '') =>
  diffRows(linesOf(text), language, { columns, rowsMax }).map(plainText);

const DIFF = `--- a.ts
+++ a.ts
@@ -9,4 +9,4 @@
 const nine = 9;
-const ten = 10;
+const ten = 'ten';
 const eleven = 11;
@@ -40,2 +40,3 @@
 const forty = 40;
+const more = 41;
\\ No newline at end of file`;

test('lines have their numbers and signs, and what lies between hunks is counted [U1]', () => {
  expect(drawn(DIFF)).toEqual([
    '    ⋯ 8 lines unchanged',
    '  9  │const nine = 9;',
    ' 10 -│const ten = 10;',
    " 10 +│const ten = 'ten';",
    ' 11  │const eleven = 11;',
    '    ⋯ 28 lines unchanged',
    ' 40  │const forty = 40;',
    ' 41 +│const more = 41;',
    '    ·│\\ No newline at end of file',
  ]);
});

test('the words that differ are marked on both sides, and a language has its colours [U1]', async () => {
  expect(wordMarks('const ten = 10;', "const ten = 'ten';")).toEqual({
    removed: [{ from: 12, to: 14 }],
    added: [{ from: 12, to: 17 }],
  });
  expect(wordMarks('one thing', 'quite another story')).toEqual({ removed: [], added: [] });
  await loadGrammars();
  const rows = diffRows(linesOf(DIFF), 'typescript', { columns: 60, rowsMax: 50 });
  const changed = rows[3] ?? [];
  expect(changed.find(({ text }) => text === 'const')).toMatchObject({ role: 'keyword', on: 'added' });
  expect(changed.find(({ text }) => text === "'ten'")).toMatchObject({ role: 'string', on: 'added word' });
});

test('long lines are broken, and a row that continues is distinguished from one that begins [U1]', () => {
  expect(drawn(`+${'abcdefghij'.repeat(3)}`, 18)).toEqual([
    '    +│abcdefghijab',
    '     ┆cdefghijabcd',
    '     ┆efghij',
  ]);
});

test('unchanged lines in the middle are folded away, and counted [U1]', () => {
  const same = Array.from({ length: 20 }, (_, index) => ` same ${index}`).join('\n');
  expect(drawn(`@@ -1,21 +1,21 @@\n-a\n+b\n${same}`)).toContain('    ⋯ 14 lines unchanged');
});

test('a diff never draws more rows or columns than it is given, shows its end, and counts what it hides [U1]', () => {
  const line = fc.tuple(
    fc.constantFrom('+', '-', ' ', '@', '\\'),
    fc.string({ unit: 'binary', maxLength: 90 }),
  );
  const text = fc
    .array(line, { maxLength: 40 })
    .map((lines) => lines.map((parts) => parts.join('').replaceAll('\n', ' ')).join('\n'));
  fc.assert(
    fc.property(
      text,
      fc.integer({ min: 12, max: 100 }),
      fc.integer({ min: 1, max: 20 }),
      (diff, columns, rowsMax) => {
        const drawing = new DiffDrawing(linesOf(diff), '', columns);
        const whole = drawing.whole().map(plainText);
        const rows = drawing.excerpt(rowsMax).map(plainText);
        expect(rows.length).toBeLessThanOrEqual(rowsMax);
        for (const row of [...rows, ...whole]) expect(columnsOf(row)).toBeLessThanOrEqual(columns);
        const isWhole = whole.length <= rowsMax;
        if (isWhole) expect(rows).toEqual(whole);
        else expect(rows.some((row) => /⋮ \d+ line/.test(row))).toBe(true);
        if (rowsMax >= 3) expect(rows.at(-1)).toBe(whole.at(-1));
      },
    ),
    { numRuns: 200 },
  );
});
