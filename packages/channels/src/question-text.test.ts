import { columnsOf } from '@countersign/display';
import type { Confirmation } from '@countersign/protocol';
import { expect, test } from 'vitest';
import { type Asked, questionText, type Shown } from './question-text.js';

const asked = (command: string, title = 'Run it'): Asked => ({
  title,
  question: { digest: '', confirmation: exec(command), offers: [], askedAt: 0 },
  verdict: {
    decision: 'ask_user',
    reason: 'It was not allowed.',
    rule: null,
    matched: null,
    because: 'rule',
  },
});
const exec = (command: string): Confirmation => ({
  type: 'exec',
  title: '',
  command,
  rootCommand: '',
  rootCommands: [],
  directory: '/w',
  riskLevel: 'low',
  riskReasons: [],
});
const onScreen = (columns: number, screenRows: number): Shown => ({
  colour: false,
  columns,
  extent: { screenRows, rowsBelow: 5 },
});
const rowsOf = (question: Asked, shown: Shown) => questionText(question, shown).text.split('\n');

test('no question is wider or higher than the screen [A7] [U2]', () => {
  const long = `${'漢字 '.repeat(2_000)}${'\u001b'.repeat(50)}${'word '.repeat(500)}`;
  const many = 'line\n'.repeat(500);
  for (const command of [long, many, `${long}\n${many}`]) {
    for (const [columns, screenRows] of [
      [80, 24],
      [132, 50],
      [40, 20],
    ] as const) {
      const rows = rowsOf(asked(command, `Run ${command}`), onScreen(columns, screenRows));
      expect(rows.length + 5).toBeLessThanOrEqual(screenRows);
      for (const row of rows) expect(columnsOf(row)).toBeLessThan(columns);
    }
  }
});

test('a screen too small for anything still gets the question', () => {
  expect(rowsOf(asked('ls\n'.repeat(50)), onScreen(5, 2)).join('\n')).toContain('Allow execution?');
});

test('the whole is shown whole, however much it is [A7]', () => {
  const lines = 300_000;
  const shown: Shown = { colour: true, extent: 'whole', columns: 80 };
  const { text, isCut } = questionText(
    asked(Array.from({ length: lines }, (_, n) => `echo ${n}`).join('\n')),
    shown,
  );
  expect(isCut).toBe(false);
  expect(text.split('\n').filter((row) => row.startsWith('  │ echo '))).toHaveLength(lines);
});

test('without a terminal, lines are as long as they are', () => {
  const rows = rowsOf(asked('x'.repeat(500)), { colour: false, extent: 'whole' });
  expect(rows).toContain(`  │ ${'x'.repeat(500)}`);
});

test('control codes are highlighted with colours, and a wrapped line has another bar [A7]', () => {
  const { text } = questionText(asked(`a\u001b${'b'.repeat(100)}`), { ...onScreen(80, 24), colour: true });
  expect(text).toContain('  │ a\u001b[7m\\x1b\u001b[27mbbb');
  expect(text).toMatch(/^ {2}┆ b+$/m);
});
