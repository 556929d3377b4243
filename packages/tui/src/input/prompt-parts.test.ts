import { columnsOf } from '@countersign/display';
import { stopwatch } from '@countersign/testkit';
import { expect, test } from 'vitest';
import { readTyped } from '../commands/slash-commands.js';
import { plainText } from '../text/styled.js';
import { bufferRows } from './buffer-rows.js';
import { completed, completing } from './completion.js';
import { bestMatches } from './fuzzy.js';
import { History } from './history.js';
import { Pastes } from './pastes.js';
import { bufferOf } from './text-buffer.js';

const never = new AbortController().signal;

test('files are found by letters in order, the name of the file before its folder [U3]', async () => {
  const paths = [
    'docs/main-ideas.md',
    'src/main.ts',
    'src/domain/index.ts',
    'package.json',
    'src/m/a/i/n.txt',
  ];
  expect(await bestMatches(paths, 'main', 3, never)).toEqual([
    'src/main.ts',
    'docs/main-ideas.md',
    'src/domain/index.ts',
  ]);
  expect(await bestMatches(paths, 'pkgjs', 3, never)).toEqual(['package.json']);
  expect(await bestMatches(paths, 'zzz', 3, never)).toEqual([]);
  expect(await bestMatches(paths, '', 2, never)).toHaveLength(2);
});

test('a hundred thousand files are searched quickly, without blocking the event loop [U3]', async () => {
  const paths = Array.from(
    { length: 100_000 },
    (_, index) => `packages/p${index % 97}/src/deep/file-${index}.ts`,
  );
  let turns = 0;
  const ticking = setInterval(() => turns++, 0);
  const elapsedMs = stopwatch();
  expect(await bestMatches(paths, 'file-99999', 6, never)).toContain('packages/p89/src/deep/file-99999.ts');
  clearInterval(ticking);
  expect(elapsedMs()).toBeLessThan(2_000);
  expect(turns).toBeGreaterThan(3);
  const stop = new AbortController();
  const stopped = bestMatches(paths, 'x', 6, stop.signal);
  stop.abort();
  expect(await stopped).toEqual([]);
});

test('what begins with @ is a file, and / at the very beginning a command [U3]', () => {
  expect(completing(bufferOf('see @src/ma'))).toMatchObject({ what: 'file', typed: 'src/ma', from: 4 });
  expect(completing(bufferOf('mail me@exam'))).toBeNull();
  expect(completing(bufferOf('/he'))).toEqual({ what: 'command', typed: 'he' });
  expect(completing(bufferOf('a /he'))).toBeNull();
  const buffer = { text: 'see @ma and go', cursor: 7 };
  const wanted = completing(buffer);
  expect(wanted && completed(buffer, wanted, 'my file.ts').text).toBe('see @my\\ file.ts and go');
});

test('what is typed is a prompt, a command or a shell line by how it begins [U3]', () => {
  expect(readTyped('  ')).toEqual({ type: 'nothing' });
  expect(readTyped('!ls -la')).toEqual({ type: 'shell', command: 'ls -la' });
  expect(readTyped('/mode plan')).toEqual({ type: 'command', name: 'mode', rest: 'plan' });
  expect(readTyped('/etc/hosts is wrong')).toMatchObject({ type: 'prompt' });
  expect(readTyped('fix it')).toEqual({ type: 'prompt', text: 'fix it' });
});

test('the prompt shows long pastes by their size, and sends them whole [U3]', () => {
  const pastes = new Pastes();
  const [one, two] = ['a\n'.repeat(9), 'b\n'.repeat(9)];
  const prompt = `${pastes.shorten(one)} ${pastes.shorten(two)} ${pastes.shorten('short')}`;
  expect(prompt).toBe('[pasted 10 lines] [pasted 10 lines #2] short');
  expect(pastes.expand(prompt)).toBe(`${one} ${two} short`);
  // What a paste holds is not looked into once more.
  const nested = new Pastes();
  const words = nested.shorten('[pasted 2000 characters]'.repeat(50));
  expect(nested.expand(words)).toBe('[pasted 2000 characters]'.repeat(50));
});

test('earlier prompts can be recalled, and the unfinished one is restored [U3]', () => {
  const kept: string[] = [];
  const history = new History({ entries: ['one', 'two'], add: (entry) => kept.push(entry) });
  expect(history.later()).toBeNull();
  expect([history.earlier('half'), history.earlier('two'), history.earlier('one')]).toEqual([
    'two',
    'one',
    null,
  ]);
  expect([history.later(), history.later(), history.later()]).toEqual(['two', 'half', null]);
  history.add('three');
  history.add('three');
  expect(kept).toEqual(['three']);
});

test('a prompt draws no more rows and columns than it is given, and its cursor is among them', () => {
  const buffer = { text: `${'long '.repeat(50)}\n${'漢'.repeat(60)}\nend`, cursor: 120 };
  for (const columns of [10, 33, 80])
    for (const rowsMax of [1, 3, 10]) {
      const rows = bufferRows(buffer, { columns, rowsMax, mark: '> ' });
      expect(rows.length).toBeLessThanOrEqual(rowsMax);
      for (const row of rows) expect(columnsOf(plainText(row))).toBeLessThanOrEqual(columns);
      expect(rows.some((row) => row.some(({ role }) => role === 'cursor'))).toBe(true);
    }
});
