import { columnsOf } from '@countersign/display';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainText } from '../text/styled.js';
import { markdownRows } from './markdown-rows.js';

const drawn = (text: string, columns = 40) => markdownRows(text, columns).map(plainText);

test('what a model writes is laid out: headings, lists, code, tables, links [U1]', () => {
  const text = `# Title\n\nSome **bold** and \`code\` words that do not fit into one row.\n\n- one\n- two\n  1. inner\n\n\`\`\`ts\nconst a = 1;\n\`\`\`\n\n| a | b |\n|---|---|\n| 1 | long cell |\n\n[name](https://example.org)`;
  expect(drawn(text)).toEqual([
    'Title',
    '',
    'Some bold and code words that do not fit',
    'into one row.',
    '',
    '• one',
    '• two',
    '  1. inner',
    '',
    '  const a = 1;',
    '',
    'a │ b        ',
    '──┼──────────',
    '1 │ long cell',
    '',
    'name (https://example.org)',
  ]);
});

test('nothing in it acts on the terminal, and a link shows where it leads [A7]', () => {
  expect(drawn('a\u001b[2Jb \u202ec')).toEqual(['a\\x1b[2Jb \\u{202e}c']);
  expect(drawn('[https://good.example](https://evil.example)', 80)).toEqual([
    'https://good.example (https://evil.example)',
  ]);
});

test('no row is wider than it may be, whatever was written [U1]', () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom('#', '*', '`', '|', '-', '\n', ' ', 'a', '漢', '[', ']', '(', '>', '1', '.'),
        maxLength: 200,
      }),
      fc.integer({ min: 30, max: 80 }),
      (text, columns) => {
        for (const row of drawn(text, columns)) expect(columnsOf(row)).toBeLessThanOrEqual(columns);
      },
    ),
    { numRuns: 300 },
  );
});
