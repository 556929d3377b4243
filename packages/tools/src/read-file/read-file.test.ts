import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { asNobody, failureOf, type TemporaryWorkspace, temporaryWorkspace } from '@countersign/host/testing';
import { explain, type JsonObject } from '@countersign/protocol';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { carryOut } from '../testing/carry-out.js';
import { readFile } from './read-file.js';

let place: TemporaryWorkspace;
beforeEach(() => {
  place = temporaryWorkspace();
});
afterEach(() => place.remove());

const carry = (args: JsonObject) => carryOut(readFile, args, { workspace: place.workspace });
const read = async (args: JsonObject) => (await carry(args)).result;
const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');

describe('the plan', () => {
  test('names the real file and nothing more, and does not look into it [T1]', async () => {
    place.put('src/a.ts', 'x');
    symlinkSync('src/a.ts', `${place.workspace}/link`);
    const { draft } = await carry({ file_path: 'link', start_line: 1 });
    const path = `${place.workspace}/src/a.ts`;
    expect(draft).toEqual({
      title: 'Read src/a.ts',
      resources: [{ kind: 'fs.read', path, scope: 'file' }],
      repeat: 'safe',
      locations: [{ path, line: 1 }],
    });
  });

  test('names a file outside by its whole path [P5]', async () => {
    writeFileSync(`${place.outside}/a`, 'x');
    const { plan } = await carry({ file_path: '../outside/a' });
    expect(plan.title).toBe(`Read ${place.outside}/a`);
    expect(plan.resources).toMatchObject([{ place: 'outside' }]);
  });
});

describe('a text', () => {
  test('is given exactly, with its own line endings [T3]', async () => {
    place.put('a.txt', 'one\r\ntwo\nthree');
    expect(await read({ file_path: 'a.txt' })).toEqual({
      llmContent: 'one\r\ntwo\nthree',
      returnDisplay: 'Read 3 lines of a.txt (mixed line endings)',
    });
  });

  test('is decoded from whatever encoding it has [T3]', async () => {
    place.put('utf16', Buffer.from('\ufeffé😀\r\n', 'utf16le'));
    place.put('bom', '\ufeffé\n');
    place.put('old', Buffer.from([0x63, 0xe9, 0x80, 0x0a]));
    expect(await read({ file_path: 'utf16' })).toEqual({
      llmContent: 'é😀\r\n',
      returnDisplay: 'Read 1 line of utf16 (UTF-16 LE, CRLF)',
    });
    expect(await read({ file_path: 'bom' })).toEqual({
      llmContent: 'é\n',
      returnDisplay: 'Read 1 line of bom (UTF-8 with BOM)',
    });
    expect(await read({ file_path: 'old' })).toEqual({
      llmContent: 'cé€\n',
      returnDisplay: 'Read 1 line of old (Windows-1252)',
    });
  });

  test('that is empty is reported as empty', async () => {
    place.put('a', '');
    const empty = { llmContent: '[a is empty.]', returnDisplay: 'Read 0 lines of a' };
    expect(await read({ file_path: 'a' })).toEqual(empty);
    expect(await read({ file_path: 'a', start_line: 1, end_line: 5 })).toEqual(empty);
  });
});

describe('a range of lines', () => {
  beforeEach(() => place.put('a', numbered(5_000)));

  test('counts from 1 and includes its end [T3]', async () => {
    expect(await read({ file_path: 'a', start_line: 2, end_line: 3 })).toEqual({
      llmContent: 'line 2\nline 3\n',
      returnDisplay: 'Read lines 2-3 of a',
    });
    expect((await read({ file_path: 'a', end_line: 1 })).llmContent).toBe('line 1\n');
    expect((await read({ file_path: 'a', start_line: 5_000 })).llmContent).toBe('line 5000\n');
    expect((await read({ file_path: 'a', start_line: 4_999, end_line: 9_999 })).llmContent).toBe(
      'line 4999\nline 5000\n',
    );
  });

  test('may be longer than what is given without one [T3]', async () => {
    const { llmContent } = await read({ file_path: 'a', start_line: 1, end_line: 3_000 });
    expect(llmContent).toBe(numbered(3_000));
  });

  test('beyond the end is refused with the number of lines', async () => {
    expect(await failureOf(carry({ file_path: 'a', start_line: 5_001 }))).toEqual({
      code: 'execution_failed',
      message: 'a has 5000 lines; start_line 5001 is beyond its end.',
    });
  });

  test('that ends before it starts is an argument error [L3]', () => {
    expect(readFile.check({ file_path: 'a', start_line: 3, end_line: 2 })).toEqual({
      ok: false,
      problems: ['"end_line" must not be before "start_line"'],
    });
  });
});

describe('too much text', () => {
  test('of lines is cut with a note on how to continue [T5]', async () => {
    place.put('a', numbered(5_000));
    const { llmContent, returnDisplay } = await read({ file_path: 'a' });
    expect(llmContent).toBe(
      `[Lines 1-2000 of 5000 of a. Continue with start_line 2001.]\n${numbered(2_000)}`,
    );
    expect(returnDisplay).toBe('Read lines 1-2000 of a');
    const next = await read({ file_path: 'a', start_line: 2_001 });
    expect(next.llmContent).toMatch(
      /^\[Lines 2001-4000 of 5000 of a\. Continue with start_line 4001\.\]\nline 2001\n/,
    );
    const last = await read({ file_path: 'a', start_line: 4_001 });
    expect(last.llmContent).toMatch(/^line 4001\n/);
  });

  test('of exactly as many lines as fit is not cut', async () => {
    place.put('a', numbered(2_000));
    expect((await read({ file_path: 'a' })).llmContent).toBe(numbered(2_000));
  });

  test('in a few lines is cut by its length, in a range, too [T5]', async () => {
    place.put('a', `${'x'.repeat(1_000)}\n`.repeat(300));
    const { llmContent } = await read({ file_path: 'a', start_line: 1, end_line: 300 });
    expect(llmContent).toMatch(/^\[Lines 1-59 of 300 of a\. Continue with start_line 60\.\]\nx/);
    expect(String(llmContent).length).toBeLessThan(60_100);
  });

  test('in one line is cut within the line, with a note [T5]', async () => {
    place.put('a', `short\n${'y'.repeat(1_999)}😀${'z'.repeat(10_000)}\r\nend`);
    expect((await read({ file_path: 'a' })).llmContent).toBe(
      `[1 line longer than 2000 characters cut, marked "…". To see more of one, read it alone, e.g. start_line 2, end_line 2.]\nshort\n${'y'.repeat(1_999)}… [cut: this line has 12001 characters]\r\nend`,
    );
    const alone = await read({ file_path: 'a', start_line: 2, end_line: 2 });
    expect(alone.llmContent).toBe(`${'y'.repeat(1_999)}😀${'z'.repeat(10_000)}\r\n`);
  });

  test('in one line that was asked for alone is cut at the limit of a read, with a note on how to continue [T5]', async () => {
    place.put('a', 'q'.repeat(1_000_000));
    const { llmContent } = await read({ file_path: 'a', start_line: 1, end_line: 1 });
    expect(llmContent).toMatch(
      /^\[Line 1 is longer than 60000 characters and was cut\. Search it with grep_search/,
    );
    expect(llmContent).toMatch(/q… \[cut: this line has 1000000 characters\]$/);
    expect(String(llmContent).length).toBeLessThan(60_400);
  });
});

describe('what is no text file', () => {
  test('is named for what it is [T3]', async () => {
    mkdirSync(`${place.workspace}/dir`);
    execFileSync('mkfifo', [`${place.workspace}/pipe`]);
    for (const file_path of ['dir', '.', '/'])
      expect(await failureOf(carry({ file_path }))).toMatchObject({
        code: 'target_is_directory',
        path: file_path,
      });
    expect(await failureOf(carry({ file_path: 'pipe' }))).toEqual({
      code: 'target_is_special',
      path: 'pipe',
      what: 'a named pipe',
    });
    const server = createServer().listen(`${place.workspace}/socket`);
    await once(server, 'listening');
    const socket = await failureOf(carry({ file_path: 'socket' }));
    server.close();
    expect(socket).toMatchObject({ code: 'target_is_special', what: 'a socket' });
    expect((await failureOf(carry({ file_path: '/dev/zero' }))).code).toBe('target_is_special');
    expect((await failureOf(carry({ file_path: '/proc/self/environ' }))).code).toBe('target_is_special');
  });

  test('a directory comes with the files that may have been meant, and the way to list it [T3]', async () => {
    place.put('src/main.ts', '');
    place.put('src/main/b.ts', '');
    place.put('src/main/a.ts', '');
    const failure = await failureOf(carry({ file_path: 'src/main' }));
    expect(failure).toEqual({
      code: 'target_is_directory',
      path: 'src/main',
      nearest: ['src/main.ts', 'src/main/a.ts', 'src/main/b.ts'],
    });
    expect(explain(failure)).toMatchObject({
      message: 'src/main is a directory. Did you mean "src/main.ts", "src/main/a.ts", "src/main/b.ts"?',
      hint: expect.stringContaining('list_directory'),
    });
  });

  test('and what is missing comes with the nearest names', async () => {
    place.put('src/main.ts', '');
    place.put('src/mian.tsx', '');
    place.put('src/other.ts', '');
    expect(await failureOf(carry({ file_path: 'src/Mian.ts' }))).toEqual({
      code: 'file_not_found',
      path: 'src/Mian.ts',
      nearest: ['src/main.ts', 'src/mian.tsx'],
    });
    expect(await failureOf(carry({ file_path: 'scr/main.ts' }))).toMatchObject({ nearest: ['src/main.ts'] });
    expect(await failureOf(carry({ file_path: 'scr/new.ts' }))).toMatchObject({ nearest: ['src'] });
    expect(await failureOf(carry({ file_path: 'zebra' }))).toMatchObject({ nearest: [] });
  });

  test('and a file without read permission is reported as forbidden', async () => {
    chmodSync(place.put('a', 'x'), 0o000);
    expect(await asNobody(() => failureOf(carry({ file_path: 'a' })))).toEqual({
      code: 'permission_denied',
      path: 'a',
    });
  });
});

test('a symlink is read as the file it leads to, and one that leads nowhere names its target [T3] [P5]', async () => {
  place.put('real/a.txt', 'content');
  symlinkSync('real/a.txt', `${place.workspace}/link`);
  symlinkSync('real/b.txt', `${place.workspace}/dangling`);
  expect(await read({ file_path: 'link' })).toEqual({
    llmContent: 'content',
    returnDisplay: 'Read 1 line of real/a.txt',
  });
  expect(await failureOf(carry({ file_path: 'dangling' }))).toEqual({
    code: 'file_not_found',
    path: 'real/b.txt',
    nearest: ['real/a.txt'],
  });
});

test('a file or directory replaced by a symlink after the plan is not followed [P5]', async () => {
  writeFileSync(`${place.outside}/a`, 'CANARY');
  place.put('d/a', 'inside');
  const whenSwapped = (meanwhile: () => void) =>
    failureOf(carryOut(readFile, { file_path: 'd/a' }, { workspace: place.workspace, meanwhile }));
  expect(
    await whenSwapped(() => {
      rmSync(`${place.workspace}/d/a`);
      symlinkSync(`${place.outside}/a`, `${place.workspace}/d/a`);
    }),
  ).toEqual({ code: 'stale_file', path: 'd/a' });
  rmSync(`${place.workspace}/d/a`);
  place.put('d/a', 'inside');
  expect(
    await whenSwapped(() => {
      renameSync(`${place.workspace}/d`, `${place.workspace}/e`);
      symlinkSync(place.outside, `${place.workspace}/d`);
    }),
  ).toEqual({ code: 'stale_file', path: `${place.workspace}/d` });
});

describe('other spellings', () => {
  test.each<[JsonObject, JsonObject]>([
    [{ path: 'a' }, { file_path: 'a' }],
    [{ absolute_path: '/a' }, { file_path: '/a' }],
    [
      { path: 'a', offset: 10, limit: 5 },
      { file_path: 'a', start_line: 11, end_line: 15 },
    ],
    [
      { file_path: 'a', offset: 3 },
      { file_path: 'a', start_line: 4 },
    ],
    [
      { file_path: 'a', limit: 5 },
      { file_path: 'a', end_line: 5 },
    ],
  ])('%j means %j [T3]', (given, meant) => {
    expect(readFile.renameArgs?.(given)).toEqual(meant);
    expect(readFile.check(meant).ok).toBe(true);
  });

  test.each<[JsonObject, string]>([
    [
      { file_path: 'a', path: 'b' },
      '"path" is not an argument of read_file (known: file_path, start_line, end_line)',
    ],
    [
      { path: 'a', absolute_path: 'b' },
      '"absolute_path" is not an argument of read_file (known: file_path, start_line, end_line)',
    ],
    [{ file_path: 'a', offset: '3' }, '"start_line" must be a whole number of at least 1, not "3"'],
    [{ file_path: 'a', offset: -2 }, '"start_line" must be a whole number of at least 1, not -1'],
    [
      { file_path: 'a', offset: 0, start_line: 1 },
      '"offset" is not an argument of read_file (known: file_path, start_line, end_line)',
    ],
  ])('%j is not guessed at [L3]', (given, problem) => {
    const checked = readFile.check(readFile.renameArgs?.(given) ?? given);
    expect(checked).toEqual({ ok: false, problems: [problem] });
  });

  test('the tool is also understood as cat [T3]', () => {
    expect(readFile.aliases).toEqual([{ name: 'cat' }]);
  });
});
