import { chmodSync, renameSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { asNobody, failureOf, type TemporaryWorkspace, temporaryWorkspace } from '@countersign/host/testing';
import type { JsonObject } from '@countersign/protocol';
import { stopwatch } from '@countersign/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { carryOut } from '../testing/carry-out.js';
import { chooseRipgrep, RIPGREP_CHOICES } from '../testing/choose-ripgrep.js';
import { glob } from './glob.js';

let place: TemporaryWorkspace;
beforeEach(() => {
  place = temporaryWorkspace();
});
afterEach(() => place.remove());

const carry = (args: JsonObject) => carryOut(glob, args, { workspace: place.workspace });
const resultOf = async (args: JsonObject) => (await carry(args)).result;
/** Files of one age come in order of name. */
const put = (...paths: readonly string[]) => {
  for (const path of paths) utimesSync(place.put(path, ''), 1_000, 1_000);
};
const filesIn = async (args: JsonObject) =>
  String((await resultOf(args)).llmContent)
    .split('\n')
    .slice(1);
const resourcesOf = async (args: JsonObject) => (await carry(args)).draft.resources;

test('the plan names the last directory before a wildcard, each of several once [T1]', async () => {
  put('src/a.ts', 'test/a.ts');
  const tree = (path: string) => ({ kind: 'fs.read', path: `${place.workspace}${path}`, scope: 'tree' });
  expect((await carry({ pattern: '**/*.ts', path: 'src' })).draft).toEqual({
    title: 'Find **/*.ts in src',
    resources: [tree('/src')],
    repeat: 'safe',
    locations: [{ path: `${place.workspace}/src` }],
  });
  expect(await resourcesOf({ pattern: '{src,test}/*.{ts,js}' })).toEqual([tree('/src'), tree('/test')]);
  expect(await resourcesOf({ pattern: `${place.workspace}/src/*` })).toEqual([tree('/src')]);
  expect(await resourcesOf({ pattern: '*.md' })).toEqual([tree('')]);
});

test('a pattern that leads out of the workspace plans that path, for policy to judge [P5]', async () => {
  writeFileSync(`${place.outside}/secret.txt`, '');
  symlinkSync(place.outside, `${place.workspace}/link`);
  put('src/a');
  const out = [{ kind: 'fs.read', path: place.outside, scope: 'tree' }];
  for (const pattern of [
    '../outside/*',
    `${place.outside}/*`,
    'src/../../outside/**',
    'link/*',
    '{..,src}/outside/*',
  ])
    expect([pattern, (await resourcesOf({ pattern }))[0]]).toEqual([pattern, out[0]]);
  expect(await failureOf(carry({ pattern: 'src/*/../../../outside/*' }))).toMatchObject({
    code: 'invalid_path',
  });
  expect(await failureOf(carry({ pattern: '**/..' }))).toMatchObject({ code: 'invalid_path' });
});

describe.each(RIPGREP_CHOICES)('%s', (choice) => {
  let restoreChoice: () => void;
  beforeEach(() => {
    restoreChoice = chooseRipgrep(choice);
  });
  afterEach(() => restoreChoice());

  test('the last changed come first, and of equals those first by name [T3]', async () => {
    for (const [name, seconds] of [
      ['b', 10],
      ['a', 10],
      ['newest', 30],
      ['oldest', 5],
    ] as const)
      utimesSync(place.put(`src/${name}.ts`, ''), seconds, seconds);
    expect(await resultOf({ pattern: '**/*.ts' })).toEqual({
      llmContent: [
        '4 files match "**/*.ts" in ., the most recently changed first:',
        ...['src/newest.ts', 'src/a.ts', 'src/b.ts', 'src/oldest.ts'],
      ].join('\n'),
      returnDisplay: '4 files match "**/*.ts" in .',
    });
  });

  test.each<[string, string[]]>([
    ['*.ts', ['a.ts']],
    ['**/*.ts', ['a.ts', 'src/b.ts', 'src/lib/c.ts']],
    ['src/*', ['src/b.ts', 'src/d.tsx']],
    ['src/**', ['src/b.ts', 'src/d.tsx', 'src/lib/c.ts']],
    ['src/', ['src/b.ts', 'src/d.tsx', 'src/lib/c.ts']],
    ['src/**/c.ts', ['src/lib/c.ts']],
    ['./src//b.ts', ['src/b.ts']],
    ['**/*.{ts,tsx}', ['a.ts', 'src/b.ts', 'src/d.tsx', 'src/lib/c.ts']],
    ['{src/{b,x},a}.ts', ['a.ts', 'src/b.ts']],
    ['SRC/*.TS', ['src/b.ts']],
    ['SRC/Lib/**', ['src/lib/c.ts']],
    ['s?c/[b-c].ts', ['src/b.ts']],
    ['src/[!b]*', ['src/d.tsx']],
    ['**/.*', ['.hidden']],
    ['src', []],
    ['*.nothing', []],
    ['missing/**', []],
    ['a.ts/*', []],
  ])('%s', async (pattern, expected) => {
    put('a.ts', 'src/b.ts', 'src/lib/c.ts', 'src/d.tsx', '.hidden');
    expect(await filesIn({ pattern })).toEqual(expected);
  });

  test('letter case counts only if asked for [T3]', async () => {
    put('src/README.md', 'src/readme.txt');
    expect(await filesIn({ pattern: 'src/readme*' })).toEqual(['src/README.md', 'src/readme.txt']);
    expect(await filesIn({ pattern: 'src/readme*', case_sensitive: true })).toEqual(['src/readme.txt']);
    expect(await filesIn({ pattern: 'SRC/*', case_sensitive: true })).toEqual([]);
  });

  test('a file whose name looks like a pattern is found by that name [T3]', async () => {
    put('app/[id]/page.tsx', 'app/i/page.tsx', 'a{b,c}.ts');
    expect(await filesIn({ pattern: 'app/[id]/page.tsx' })).toEqual(['app/[id]/page.tsx']);
    expect(await filesIn({ pattern: 'a{b,c}.ts' })).toEqual(['a{b,c}.ts']);
    expect(await filesIn({ pattern: 'app/\\[id\\]/*' })).toEqual(['app/[id]/page.tsx']);
  });

  test('ignored files are skipped, unless the arguments disable that [T3]', async () => {
    put('a.log', 'keep.log', 'dist/x', 'src/dist/x', 'src/a', 'data/x', '.git/config');
    place.put('.gitignore', '*.log\n!keep.log\ndist/\n');
    place.put('.geminiignore', 'data\n');
    place.put('src/.countersignignore', 'a\n');
    const files = (args: JsonObject) => filesIn({ pattern: '**/[!.]*', ...args });
    expect(await files({})).toEqual(['keep.log']);
    expect(await files({ respect_git_ignore: false })).toEqual(['a.log', 'dist/x', 'keep.log', 'src/dist/x']);
    expect(await files({ respect_gemini_ignore: false })).toEqual(['data/x', 'keep.log', 'src/a']);
    expect(await filesIn({ pattern: 'dist/*' })).toEqual([]);
    expect(await filesIn({ pattern: 'a.log' })).toEqual([]);
    // Who names an ignored directory as the place to look wants to look there.
    expect(await filesIn({ pattern: '*', dir_path: 'dist' })).toEqual(['dist/x']);
  });

  test('links are not followed and not listed, a circle of them ends [P5]', async () => {
    writeFileSync(`${place.outside}/secret.txt`, '');
    put('a/real.txt');
    symlinkSync(place.outside, `${place.workspace}/out`);
    symlinkSync('..', `${place.workspace}/a/loop`);
    symlinkSync('a/real.txt', `${place.workspace}/link.txt`);
    expect(await filesIn({ pattern: '**/*' })).toEqual(['a/real.txt']);
    // Named as it is, a link means what it leads to.
    expect(await filesIn({ pattern: 'link.txt' })).toEqual(['a/real.txt']);
  });

  test('a directory exchanged for a link after the plan is not listed [P5]', async () => {
    writeFileSync(`${place.outside}/CANARY`, '');
    put('d/a');
    const meanwhile = () => {
      renameSync(`${place.workspace}/d`, `${place.workspace}/e`);
      symlinkSync(place.outside, `${place.workspace}/d`);
    };
    for (const args of [{ pattern: 'd/*' }, { pattern: '*', dir_path: 'd' }]) {
      const carried = carryOut(glob, args, { workspace: place.workspace, meanwhile });
      expect((await failureOf(carried)).code).toBe('stale_file');
      renameSync(`${place.workspace}/d`, `${place.workspace}/gone`);
      renameSync(`${place.workspace}/e`, `${place.workspace}/d`);
      renameSync(`${place.workspace}/gone`, `${place.workspace}/../gone`);
    }
  });

  test('names that are hard to print stay on one line [A7]', async () => {
    put('with blank', 'new\nline', 'ünïcödé 😀', '-dash', '#hash', '!bang');
    expect(await filesIn({ pattern: '*' })).toEqual([
      ...['!bang', '#hash', '-dash', '"new\\nline"', 'with blank', 'ünïcödé 😀'],
    ]);
  });

  test('a long result is cut to the newest, with a note [T5]', async () => {
    for (let index = 0; index < 1_050; index += 1)
      utimesSync(place.put(`many/${index}`, ''), 1_000 + index, 1_000 + index);
    const lines = String((await resultOf({ pattern: 'many/*' })).llmContent).split('\n');
    expect(lines[0]).toBe(
      '1050 files match "many/*" in ., the most recently changed first (50 more not shown; use a more exact pattern, or dir_path):',
    );
    expect(lines).toHaveLength(1_001);
    expect([lines[1], lines.at(-1)]).toEqual(['many/1049', 'many/50']);
  });

  test('what cannot be read is named, and the rest is listed', async () => {
    put('open/a', 'shut/b');
    chmodSync(`${place.workspace}/shut`, 0o000);
    const { llmContent } = await asNobody(() => resultOf({ pattern: '**/*' }));
    expect(llmContent).toBe(
      '1 file matches "**/*" in ., the most recently changed first (1 could not be read, e.g. shut):\nopen/a',
    );
  });

  test('a pattern that means too much is refused, one that is slow elsewhere is not', async () => {
    put('a'.repeat(200));
    const many = '{a,b}'.repeat(20);
    expect(await failureOf(carry({ pattern: many }))).toMatchObject({ code: 'invalid_path' });
    const elapsedMs = stopwatch();
    expect(await filesIn({ pattern: `${'*a'.repeat(60)}b` })).toEqual([]);
    expect(elapsedMs()).toBeLessThan(2_000);
  });

  test('a directory that is not there, or is none, is named [L3]', async () => {
    put('source/a');
    expect(await failureOf(carry({ pattern: '*', dir_path: 'sorce' }))).toEqual({
      code: 'file_not_found',
      path: 'sorce',
      nearest: ['source'],
    });
    expect(await failureOf(carry({ pattern: '*', dir_path: 'source/a' }))).toEqual({
      code: 'target_is_not_directory',
      path: 'source/a',
    });
  });

  test('a cancelled search ends', async () => {
    const cancel = new AbortController();
    cancel.abort(new Error('cancelled by the test'));
    const carried = carryOut(glob, { pattern: '**' }, { workspace: place.workspace, signal: cancel.signal });
    await expect(carried).rejects.toThrow('cancelled by the test');
  });
});
