import { meetsArgs } from '@countersign/kernel';
import type { Json, PolicyDecision } from '@countersign/protocol';
import { expect, test } from 'vitest';
import { conditionOnArgument, translateArgsPattern } from './args-pattern.js';

async function matches(source: string, value: Json, decision: PolicyDecision = 'allow'): Promise<boolean> {
  const translation = translateArgsPattern(source);
  if (translation.type !== 'argument') throw new Error(translation.why);
  const built = await conditionOnArgument(translation, decision);
  if (!built.ok) throw new Error(built.problem);
  return meetsArgs({ decision, args: built.condition }, { [translation.key]: value });
}

test('every way to write "this argument begins so" means that argument [P2]', () => {
  const spellings = [
    String.raw`"file_path":"src/`,
    String.raw`\"file_path\":\"src/`,
    String.raw`\0"file_path":"src/`,
    String.raw`\x00"file_path":"src/`,
    String.raw`\u0000"file_path":"src/`,
    String.raw`\\0"file_path":"src/`,
    String.raw`\\0\"file_path\":\"src/`,
    String.raw`"file_path":\s*"src/`,
    String.raw`"file_path": "src/`,
    String.raw`"file_path"\s*:\s*"src/`,
    String.raw`.*"file_path":"src/`,
    String.raw`^\{"file_path":"src/`,
    String.raw`^{\0"file_path":"src/`,
  ];
  for (const source of spellings) {
    expect(translateArgsPattern(source), `pattern ${source}`).toEqual({
      type: 'argument',
      key: 'file_path',
      rest: 'src/',
      ends: 'open',
    });
  }
});

test('a closing quote, with whatever may follow the value, means its end [P2]', () => {
  const spellings = [
    String.raw`"file_path":"src/.*"`,
    String.raw`\0"file_path":"src/.*"\0`,
    String.raw`\\0\"file_path\":\"src/.*\"\\0`,
    String.raw`"file_path":"src/.*"\}$`,
    String.raw`"file_path":"src/.*",.*`,
  ];
  for (const source of spellings) {
    expect(translateArgsPattern(source), `pattern ${source}`).toEqual({
      type: 'argument',
      key: 'file_path',
      rest: 'src/.*',
      ends: 'closed',
    });
  }
});

test('quotes inside a class or after an escaping backslash are part of the value', () => {
  expect(translateArgsPattern(String.raw`"p":"[^"]+\.md"`)).toMatchObject({
    rest: String.raw`[^"]+\.md`,
    ends: 'closed',
  });
  expect(translateArgsPattern(String.raw`"p":"say \\"hi`)).toMatchObject({
    rest: String.raw`say \\"hi`,
    ends: 'open',
  });
  expect(translateArgsPattern(String.raw`"p":"C:\\\\"`)).toMatchObject({
    rest: String.raw`C:\\\\`,
    ends: 'closed',
  });
});

test('what cannot be tied to one argument says why [P2]', () => {
  const untied = [
    String.raw`(\.env|id_rsa|passwd)`,
    String.raw`"(file_path|path)":"src/`,
    String.raw`"command":"git|npm`,
    String.raw`"file_path":"a"|"file_path":"b"`,
    String.raw`"file_path":"a","content":"b`,
    String.raw`"file_path":"(a"|b")`,
    String.raw`"file_path":"a"?`,
    String.raw`"recursive":true`,
    String.raw`"file_path":"a)|(?:b`,
    String.raw`"file_path":"\Q(\E|x\Q)\E`,
    '',
  ];
  for (const source of untied) {
    const translation = translateArgsPattern(source);
    expect(translation.type, `pattern ${source}`).toBe('untied');
    if (translation.type === 'untied') expect(translation.why.length).toBeGreaterThan(10);
  }
});

test('a value is matched from its beginning, and to its end where the pattern says so [P3]', async () => {
  expect(await matches('"p":"src/', 'src/a.ts')).toBe(true);
  expect(await matches('"p":"src/', 'x/src/a.ts')).toBe(false);
  expect(await matches('"p":"src/.*\\.ts"', 'src/a.ts')).toBe(true);
  expect(await matches('"p":"src/.*\\.ts"', 'src/a.tsx')).toBe(false);
  expect(await matches('"p":"(a|b)"', 'b')).toBe(true);
  expect(await matches('"p":"(a|b)"', 'bc')).toBe(false);
});

test('a value that looks like the rest of the arguments stays one value [P3]', async () => {
  expect(await matches('"p":"a"', 'a","p":"b')).toBe(false);
  expect(await matches('"p":"[^"]+"', 'a"b')).toBe(false);
  expect(await matches('"p":"safe"', 'x", "p":"safe')).toBe(false);
});

test('escapes are those of JSON; a rule that forbids also counts for who forgot them [P2]', async () => {
  expect(await matches(String.raw`"p":"C:\\\\Users`, 'C:\\Users\\a')).toBe(true);
  expect(await matches(String.raw`"p":"C:\\Users`, 'C:\\Users\\a')).toBe(false);
  expect(await matches(String.raw`"p":"C:\\Users`, 'C:\\Users\\a', 'deny')).toBe(true);
  expect(await matches(String.raw`"p":"C:\\\\Users`, 'C:\\Users\\a', 'deny')).toBe(true);
  expect(await matches(String.raw`"p":"a.*b`, 'a\nb')).toBe(true);
});

test('a list is denied by what it holds and allowed by nothing [P3]', async () => {
  expect(await matches(String.raw`"p":".*\.env"`, ['x', 'my.env'], 'deny')).toBe(true);
  expect(await matches(String.raw`"p":".*\.env"`, ['x', 'my.env'], 'allow')).toBe(false);
  expect(await matches(String.raw`"p":".*"`, ['x'], 'allow')).toBe(false);
});
