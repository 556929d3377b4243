import { expect, test } from 'vitest';
import { compilePattern } from './pattern.js';

async function compiled(source: string) {
  const result = await compilePattern(source);
  if (!result.ok) throw new Error(result.problem);
  return result.pattern;
}

test('patterns made to hang others end at once [P3]', async () => {
  // Trying every way to split this text, as a backtracking engine does, would outlast the universe.
  const text = `${'a'.repeat(50_000)}!`;
  for (const source of [
    '(a+)+$',
    '(a|aa)+$',
    '^([a-zA-Z]+)*$',
    '(.*a){12}$',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
  ]) {
    expect((await compiled(source)).test(text), `pattern ${source}`).toBe(false);
  }
});

test('what takes look-around or memory is refused, and the reason is reported [P2] [P3]', async () => {
  for (const source of ['(?=a)b', '(?!a)b', '(?<=a)b', '(a)\\1']) {
    expect(await compilePattern(source)).toMatchObject({
      ok: false,
      problem: expect.stringContaining('not supported'),
    });
  }
});

test('a broken or oversized pattern is refused [P2]', async () => {
  for (const source of ['(', '[a', 'a**', 'a'.repeat(3000), '(?:(?:abc){30}){30}']) {
    expect((await compilePattern(source)).ok, `pattern ${source.slice(0, 30)}`).toBe(false);
  }
});

test('spellings of JavaScript are understood', async () => {
  expect((await compiled('\\u0041/\\/')).test('A//')).toBe(true);
  expect((await compiled('(?<name>a)')).test('a')).toBe(true);
  expect((await compiled('\\0|\\x00')).test('\0')).toBe(true);
  expect((await compiled('\\"a\\-b\\ c\\,\\#')).test('"a-b c,#')).toBe(true);
});
