import fc from 'fast-check';
import { expect, test } from 'vitest';
import { columnsOf } from './columns.js';
import { excerptOf, firstRows, shareRows } from './excerpt.js';
import { foldBlanks } from './fold-blanks.js';
import { textOf, visibleLines } from './visible-text.js';

const rows = (text: string, columns: number) => firstRows(visibleLines(text), columns);
const texts = (some: ReturnType<typeof rows>) => some.map(({ spans }) => textOf(spans));
const excerpt = (text: string, columns: number, rowsMax: number) => {
  const { head, leftOut, tail } = excerptOf(visibleLines(text), columns, rowsMax);
  return [...texts([...head]), ...(leftOut === null ? [] : [`(${leftOut})`]), ...texts([...tail])];
};

test('rows lose nothing, add nothing, and none is wider than it may be [A7]', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', ' ', '漢', '🙂', 'é', 'e\u0301', '\u001b', '👩‍💻', '\n'),
    maxLength: 200,
  });
  fc.assert(
    fc.property(text, fc.integer({ min: 20, max: 60 }), (given, columns) => {
      const lines = visibleLines(given);
      const broken = firstRows(lines, columns);
      for (const row of texts(broken)) expect(columnsOf(row)).toBeLessThanOrEqual(columns);
      const joined = lines.map((_, line) => texts(broken.filter((row) => row.line === line)).join(''));
      expect(joined).toEqual(lines.map(textOf));
    }),
    { numRuns: 500 },
  );
});

test('a row ends before a blank, so that one sees whether there is one', () => {
  expect(texts(rows('rm -rf /home/somebody', 20))).toEqual(['rm -rf /home/somebod', 'y']);
  expect(texts(rows('echo one two three /', 19))).toEqual(['echo one two three', ' /']);
  expect(texts(rows(`${'x'.repeat(20)} y`, 20))).toEqual(['x'.repeat(20), ' y']);
});

test('tabs go to the next stop', () => {
  expect(texts(rows('a\tb\n\tc', 20))).toEqual(['a   b', '    c']);
});

test('of what is too long, beginning and end are shown, and how much is between them [A7]', () => {
  const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n');
  expect(excerpt(lines, 40, 5)).toEqual([
    'line 0',
    'line 1',
    'line 2',
    '(not shown: 96 of 100 lines)',
    'line 99',
  ]);
  const long = `echo ${'A'.repeat(1_000)}; evil`;
  expect(excerpt(long, 20, 4)).toEqual([
    `echo ${'A'.repeat(15)}`,
    'A'.repeat(20),
    '(not shown: 951 characters)',
    `${'A'.repeat(14)}; evil`,
  ]);
  expect(excerpt(`${long}\n${long}`, 20, 4).at(-2)).toBe('(not shown in full: 2 of 2 lines)');
  expect(excerpt('one\ntwo', 20, 2)).toEqual(['one', 'two']);
});

test('an end of wide characters, marks and pictures is not torn apart', () => {
  expect(excerpt(`${'漢'.repeat(5_000)}e\u0301👩‍💻`, 20, 3).at(-1)).toBe(`${'漢'.repeat(7)}e\u0301👩‍💻`);
});

test('what only fills the screen is counted [A7]', () => {
  const folded = (text: string) => foldBlanks(visibleLines(text)).map(textOf);
  expect(folded(`a${' '.repeat(5_000)}b`)).toEqual(['a⟨5000 blanks⟩b']);
  expect(folded(`a${'\n'.repeat(300)}b`)).toEqual(['a', '⟨299 empty lines⟩', 'b']);
  expect(folded(`a${'\b'.repeat(300)}b`)).toEqual(['a\\x08⟨300 times⟩b']);
  const ordinary = `a${' '.repeat(80)}b\n\n\n\n\n\nc${'\u001b'.repeat(10)}`;
  expect(folded(ordinary)).toEqual(visibleLines(ordinary).map(textOf));
});

test('rows are divided so that an excerpt that needs few gets them', () => {
  expect(shareRows([100, 1, 2], 12)).toEqual([9, 1, 2]);
  expect(shareRows([100, 50], 12)).toEqual([6, 6]);
  expect(shareRows([1, 1], 12)).toEqual([1, 1]);
  expect(shareRows([5, 5, 5], 1)).toEqual([1, 1, 1]);
});
