import { stopwatch } from '@countersign/testkit';
import { describe, expect, test } from 'vitest';
import { analyzeCommand } from './analyze-command.js';
import { TEXT_CHARS_MAX } from './parse/limits.js';

const wordsOf = (text: string) =>
  analyzeCommand(text).units.map(({ words }) => words.map((word) => word.text));
const shown = (text: string) =>
  analyzeCommand(text).units.map(({ span, via, role }) => ({
    at: text.slice(span.start, span.end),
    via,
    role: role.type,
  }));

describe('units', () => {
  test('every command is found wherever it stands, outer before inner [P4]', () => {
    expect(wordsOf('a && (b | c) & if d; then e; fi; f() { g; }; echo "$(h `i`)" <(j)')).toEqual([
      ...[['a'], ['b'], ['c'], ['d'], ['e'], ['g']],
      ...[['echo', null, null], ['h', null], ['i'], ['j']],
    ]);
  });

  test('quotes are removed as bash removes them [P4]', () => {
    expect(wordsOf(`"r"m 'a b' a\\ b $'\\x41\\n' "\\$x" ''`)).toEqual([
      ['rm', 'a b', 'a b', 'A\n', '$x', ''],
    ]);
  });

  test('a command knows where it stands and which wrappers lead to it [P4]', () => {
    expect(shown("cd x && sudo timeout 5 bash -c 'ls; rm y'")).toEqual([
      { at: 'cd x', via: [], role: 'command' },
      { at: "sudo timeout 5 bash -c 'ls; rm y'", via: [], role: 'command' },
      { at: "timeout 5 bash -c 'ls; rm y'", via: ['sudo'], role: 'neutral' },
      { at: "bash -c 'ls; rm y'", via: ['sudo', 'timeout'], role: 'neutral' },
      { at: "bash -c 'ls; rm y'", via: ['sudo', 'timeout', 'bash'], role: 'command' },
      { at: "bash -c 'ls; rm y'", via: ['sudo', 'timeout', 'bash'], role: 'command' },
    ]);
  });

  test('a command in escaped backquotes keeps a place in the text that was given [P4]', () => {
    const text = 'echo `echo \\`rm x\\``';
    for (const { span } of analyzeCommand(text).units) {
      expect(span.start).toBeGreaterThanOrEqual(0);
      expect(span.end).toBeLessThanOrEqual(text.length);
    }
  });

  test('what xargs and find add is not known', () => {
    expect(wordsOf('xargs -n 1 grep -l x')[1]).toEqual(['grep', '-l', 'x', null]);
    expect(wordsOf('xargs -I% cp % b')[1]).toEqual(['cp', null, 'b']);
    expect(wordsOf('find . -exec a {} \\; -exec b {} +').slice(1)).toEqual([
      ['a', null],
      ['b', null],
    ]);
  });

  test('the redirections of a group belong to every command in it', () => {
    const [, inner] = analyzeCommand('{ a; b; } > out 2>&1').units;
    expect(inner?.redirects.map(({ operator, effect }) => [operator, effect])).toEqual([
      ['>', 'writes'],
      ['>&', 'none'],
    ]);
  });

  test('an empty text and a comment run nothing', () => {
    expect(analyzeCommand('  # rm -rf /').units).toEqual([]);
    expect(analyzeCommand('')).toMatchObject({ units: [], problem: null, invalid: null });
  });
});

describe('texts that are not understood', () => {
  test('NUL and half a surrogate pair make the call invalid [P4]', () => {
    expect(analyzeCommand('ls\0').invalid).toMatch(/NUL/);
    expect(analyzeCommand('echo \udc00').invalid).toMatch(/surrogate/);
    expect(analyzeCommand('echo 😀').invalid).toBeNull();
  });

  test('hidden characters are named with their place [A7]', () => {
    expect(analyzeCommand('echo a\u202eb\r').hiddenCharacters).toEqual([
      { codePoint: 0x202e, span: { start: 6, end: 7 } },
      { codePoint: 0x0d, span: { start: 8, end: 9 } },
    ]);
    expect(analyzeCommand('echo "é ✔️ 👩"\t\n').hiddenCharacters).toEqual([]);
  });

  test('what was read before an error is still found [P4]', () => {
    const { problem, units } = analyzeCommand("r''m x\necho 'a");
    expect(problem).not.toBeNull();
    expect(units[0]?.program).toBe('rm');
  });

  test.each([
    ['nested substitutions', `echo ${'$('.repeat(5_000)}id${')'.repeat(5_000)}`],
    ['substitutions hidden from a count of parentheses', `echo ${"$(')' ".repeat(3_000)}`],
    ['nested quotes', `echo ${'"$('.repeat(4_000)}`],
    ['nested parameters', `echo ${'${x:-'.repeat(3_000)}`],
    ['nested braces', `echo ${'{a,'.repeat(5_000)}`],
    ['nested groups', '('.repeat(16_000)],
    ['nested arithmetic', `echo ${'$['.repeat(8_000)}`],
    ['many here-documents', `cat ${'<<a '.repeat(4_000)}`],
    ['wrappers in wrappers', `${'env '.repeat(4_000)}ls`],
    ['wrappers that are not understood', `${'env -Z '.repeat(2_300)}ls`],
    ['code in code', `${'eval '.repeat(3_000)}ls`],
    ['a long text', `echo ${'a'.repeat(TEXT_CHARS_MAX)}`],
  ])('%s are refused at once [P4]', (_, text) => {
    const elapsedMs = stopwatch();
    const { problem } = analyzeCommand(text);
    expect(problem).not.toBeNull();
    // 50 ms on a quiet machine; the rest is for a busy one.
    expect(elapsedMs()).toBeLessThan(500);
  });

  test.each([
    ['brackets in sed', `sed 's/${'['.repeat(15_000)}' f`],
    ['brackets in awk', `awk '/${'['.repeat(15_000)}' f`],
    ['options before a sub-command', `git ${'-a '.repeat(5_000)}push`],
    ['commands in a row', 'true; '.repeat(2_700)],
  ])('many %s are read in time', (_, text) => {
    const elapsedMs = stopwatch();
    expect(analyzeCommand(text).problem).toBeNull();
    expect(elapsedMs()).toBeLessThan(1_000);
  });
});
