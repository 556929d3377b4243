import { stopwatch } from '@countersign/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unifiedDiff } from './unified-diff.js';

/** Applies a unified diff the plain way, checking every context and removed line. */
function patched(before: string, diff: string): string {
  const old = before.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const out: string[] = [];
  let at = 0;
  const lines = diff.match(/[^\n]*\n/g) ?? [];
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('--- ') && index === 0) continue;
    if (line.startsWith('+++ ') && index === 1) continue;
    if (line.startsWith('\\')) continue;
    const content = lines[index + 1]?.startsWith('\\') ? line.slice(1, -1) : line.slice(1);
    const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@\n$/.exec(line);
    if (header) {
      const start = header[2] === '0' ? Number(header[1]) : Number(header[1]) - 1;
      out.push(...old.slice(at, start));
      at = start;
      const newStart = header[4] === '0' ? Number(header[3]) : Number(header[3]) - 1;
      expect(out.length).toBe(newStart);
      continue;
    }
    if (line.startsWith('+')) out.push(content);
    else expect(old[at++]).toBe(content);
    if (line.startsWith(' ')) out.push(content);
  }
  return [...out, ...old.slice(at)].join('');
}

describe('the text', () => {
  test('has headers, three lines of context, and names an absent final newline [A1]', () => {
    const before = 'a\nb\nc\nd\ne\nf\ng\nh\n';
    const after = 'a\nb\nc\nd\nE\nf\ng\nh\ni';
    expect(unifiedDiff('src/x.ts', before, after)).toEqual({
      text: [
        '--- a/src/x.ts',
        '+++ b/src/x.ts',
        '@@ -2,7 +2,8 @@',
        ' b',
        ' c',
        ' d',
        '-e',
        '+E',
        ' f',
        ' g',
        ' h',
        '+i',
        '\\ No newline at end of file',
        '',
      ].join('\n'),
      stat: { added: 2, removed: 1 },
    });
  });

  test('keeps distant changes in hunks of their own', () => {
    const lines = Array.from({ length: 20 }, (_, index) => `${index}\n`);
    const changed = lines.map((line, index) => (index === 1 || index === 9 ? 'x\n' : line));
    const headers = unifiedDiff('f', lines.join(''), changed.join('')).text.match(/^@@.*$/gm);
    expect(headers).toEqual(['@@ -1,5 +1,5 @@', '@@ -7,7 +7,7 @@']);
  });

  test('of a new file comes from nothing', () => {
    expect(unifiedDiff('f', null, 'a\n').text).toBe('--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\n');
    expect(unifiedDiff('f', null, '').text).toBe('--- /dev/null\n+++ b/f\n');
  });

  test('is empty where nothing changed', () => {
    expect(unifiedDiff('f', 'a\n', 'a\n')).toEqual({ text: '', stat: { added: 0, removed: 0 } });
  });

  test('names an absolute path as it is, and no name adds lines', () => {
    expect(unifiedDiff('/etc/x', 'a', 'b').text).toMatch(/^--- \/etc\/x\n\+\+\+ \/etc\/x\n/);
    expect(unifiedDiff('a\n+++ b/c', 'a', 'b').text.split('\n')[0]).toBe('--- "a/a\\n+++ b/c"');
  });

  test('shows a change that is only in the line ending', () => {
    expect(unifiedDiff('f', 'a\r\n', 'a\n').stat).toEqual({ added: 1, removed: 1 });
    expect(unifiedDiff('f', 'a', 'a\n').text).toContain('-a\n\\ No newline at end of file\n+a\n');
  });
});

describe('the difference', () => {
  test('is the smallest one where that is quickly found', () => {
    expect(unifiedDiff('f', 'a\nb\nc\na\nb\nb\na\n', 'c\nb\na\nb\na\nc\n').stat).toEqual({
      added: 2,
      removed: 3,
    });
  });

  const text = fc
    .tuple(
      fc.array(fc.constantFrom('a', 'b', 'c', '', 'x\r', '--- a', '+y', '@@ -1 +1 @@', '\\ z'), {
        maxLength: 40,
      }),
      fc.boolean(),
    )
    .map(([lines, ended]) => lines.join('\n') + (ended && lines.length > 0 ? '\n' : ''));

  test('applied to the old text gives the new one, whatever they are [A1]', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { text: diff, stat } = unifiedDiff('f', before, after);
        expect(patched(before, diff)).toBe(after);
        const body = diff.split('\n').slice(2);
        expect(body.filter((line) => line.startsWith('+'))).toHaveLength(stat.added);
        expect(body.filter((line) => line.startsWith('-'))).toHaveLength(stat.removed);
      }),
      { numRuns: 1_000 },
    );
  });
});

test('a change in the middle of much that stays is numbered from the beginning [A1]', () => {
  const lines = fc.array(fc.constantFrom('a\n', 'b\n', '\n'), { maxLength: 8 }).map((some) => some.join(''));
  fc.assert(
    fc.property(lines, lines, lines, lines, fc.nat(9_000), (head, before, after, tail, times) => {
      const [start, end] = [`${head}same\n`.repeat(Math.ceil(times / 40)), `${tail}same\n`.repeat(3)];
      const diff = unifiedDiff('f', start + before + end, start + after + end);
      expect(patched(start + before + end, diff.text)).toBe(start + after + end);
      const context = diff.text.split('\n').filter((line) => line.startsWith(' '));
      expect(context.length <= 6 || diff.stat.added + diff.stat.removed > 1).toBe(true);
    }),
    { numRuns: 200 },
  );
});

describe('ten thousand lines', () => {
  const lines = Array.from({ length: 10_000 }, (_, index) => `const value${index} = ${index};\n`);

  /** The quickest of a few, so that a busy machine does not decide. */
  function measured(after: readonly string[]) {
    const [before, changed] = [lines.join(''), after.join('')];
    const times = Array.from({ length: 4 }, () => {
      const elapsedMs = stopwatch();
      unifiedDiff('f', before, changed);
      return elapsedMs();
    });
    const { text, stat } = unifiedDiff('f', before, changed);
    expect(patched(before, text)).toBe(changed);
    return { ms: Math.min(...times), stat };
  }

  test('with every third changed take less than 100 ms', () => {
    const { ms, stat } = measured(
      lines.map((line, index) => (index % 3 === 0 ? `changed ${index}\n` : line)),
    );
    expect(stat).toEqual({ added: 3_334, removed: 3_334 });
    expect(ms).toBeLessThan(100);
  });

  test('all indented take less than 100 ms', () => {
    expect(measured(lines.map((line) => `  ${line}`)).ms).toBeLessThan(100);
  });

  test('in reverse take less than 300 ms and give a correct, coarser difference', () => {
    const { ms, stat } = measured(lines.toReversed());
    expect(ms).toBeLessThan(300);
    expect(stat).toEqual({ added: 10_000, removed: 10_000 });
  });
});

test('a change too large to read line by line is counted, and its beginning is shown and marked as such [A7] [S4]', () => {
  const lines = (word: string) => Array.from({ length: 600_000 }, (_, line) => `${word} ${line}\n`).join('');
  const begun = performance.now();
  const { text, stat, omitted } = unifiedDiff('a.txt', `same\n${lines('old')}`, `same\n${lines('new')}`);
  expect(performance.now() - begun).toBeLessThan(2_000);
  expect(stat).toEqual({ added: 600_001, removed: 600_001 });
  expect(omitted).toContain('600001 lines are replaced by 600001');
  expect(text).toContain(omitted);
  expect(text.length).toBeLessThan(100_000);
});

test('one line that is larger than all that can be shown is cut [A7] [S4]', () => {
  const { text, omitted } = unifiedDiff('a.txt', null, 'x'.repeat(5_000_000));
  expect(omitted).toContain('0 lines are replaced by 1');
  expect(text.length).toBeLessThan(50_000);
});
