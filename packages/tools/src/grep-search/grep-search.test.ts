import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { asNobody, failureOf, type TemporaryWorkspace, temporaryWorkspace } from '@countersign/host/testing';
import type { JsonObject } from '@countersign/protocol';
import { stopwatch, until } from '@countersign/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { carryOut } from '../testing/carry-out.js';
import { chooseRipgrep, RIPGREP_CHOICES } from '../testing/choose-ripgrep.js';
import { grepSearch } from './grep-search.js';

let place: TemporaryWorkspace;
beforeEach(() => {
  place = temporaryWorkspace();
});
afterEach(() => place.remove());

const carry = (args: JsonObject) => carryOut(grepSearch([]), args, { workspace: place.workspace });
const textOf = async (args: JsonObject) => String((await carry(args)).result.llmContent);
/** The files that matches are reported of. */
const filesIn = async (args: JsonObject) =>
  (await textOf({ names_only: true, ...args })).split('\n').slice(1);

test('the plan names the tree, and the arguments have their other names [T1]', async () => {
  const { draft } = await carry({ pattern: 'x', path: '.', include: '*.ts' });
  expect(draft).toEqual({
    title: 'Search for "x" in .',
    resources: [{ kind: 'fs.read', path: place.workspace, scope: 'tree' }],
    repeat: 'safe',
    locations: [{ path: place.workspace }],
  });
  expect(grepSearch([]).kind).toBe('search');
  expect(grepSearch([]).aliases).toEqual([{ name: 'grep' }, { name: 'search_file_content' }]);
});

describe.each(RIPGREP_CHOICES)('%s', (choice) => {
  let restoreChoice: () => void;
  beforeEach(() => {
    restoreChoice = chooseRipgrep(choice);
  });
  afterEach(() => restoreChoice());

  test('matches come by file, in order of path, with their line numbers [T3]', async () => {
    place.put('src/b.ts', 'one\nNeedle two\nthree needle\n');
    place.put('a.md', 'a needle');
    place.put('c.md', 'nothing');
    expect((await carry({ pattern: 'needle' })).result).toEqual({
      llmContent: [
        '3 matches in 2 files for "needle" in .:',
        '',
        'File: a.md',
        'L1: a needle',
        '',
        'File: src/b.ts',
        'L2: Needle two',
        'L3: three needle',
      ].join('\n'),
      returnDisplay: '3 matches in 2 files',
    });
  });

  test('letter case, literal patterns and anchors are as asked for [T3]', async () => {
    place.put('a.txt', 'Foo(bar)\r\nfoo.bar\r\nend\r\n');
    expect(await textOf({ pattern: 'foo', case_sensitive: true })).toContain('1 match in');
    expect(await textOf({ pattern: 'FOO' })).toContain('2 matches in');
    expect(await textOf({ pattern: 'foo(', fixed_strings: true })).toContain('L1: Foo(bar)');
    expect(await textOf({ pattern: 'o.b' })).toContain('L2: foo.bar');
    // `$` is before the line break, whichever it is, and no `\r` is shown.
    expect(await textOf({ pattern: '^end$' })).toMatch(/\nL3: end$/);
  });

  test('lines around a match are marked, and shown once [T3]', async () => {
    place.put('a.txt', ['1', '2', 'hit 3', '4', 'hit 5', '6', '7', '8', 'hit 9'].join('\n'));
    const shown = async (args: JsonObject) =>
      (await textOf({ pattern: 'hit', ...args })).split('\n').slice(3);
    expect(await shown({ context: 1 })).toEqual([
      ...['L2- 2', 'L3: hit 3', 'L4- 4', 'L5: hit 5', 'L6- 6'],
      ...['L8- 8', 'L9: hit 9'],
    ]);
    expect(await shown({ before: 1 })).toEqual([
      'L2- 2',
      'L3: hit 3',
      'L4- 4',
      'L5: hit 5',
      'L8- 8',
      'L9: hit 9',
    ]);
    expect(await shown({ after: 1, total_max_matches: 1 })).toEqual(['L3: hit 3', 'L4- 4']);
  });

  test('a line that matches exclude_pattern is omitted, with what is around it [T3]', async () => {
    place.put('a.txt', 'x\nhit test\ny\nz\nhit real\n');
    const text = await textOf({
      pattern: 'hit',
      exclude_pattern: 'TEST',
      context: 1,
      max_matches_per_file: 1,
    });
    expect(text.split('\n').slice(3)).toEqual(['L4- z', 'L5: hit real']);
    expect(text).toContain('1 match in 1 file');
    place.put('b.txt', 'hit test\n');
    expect(await filesIn({ pattern: 'hit', exclude_pattern: 'test' })).toEqual(['a.txt']);
  });

  test('limits are kept and the rest is counted [T5]', async () => {
    for (let file = 0; file < 30; file += 1) place.put(`f${10 + file}.txt`, 'hit\n'.repeat(10));
    const text = await textOf({ pattern: 'hit' });
    expect(text.split('\n')[0]).toBe(
      '300 matches in 30 files for "hit" in . (only 100 shown, in order of path; raise total_max_matches, or narrow the search with dir_path, include_pattern or a more exact pattern):',
    );
    expect(text.match(/^L\d+: hit$/gm)).toHaveLength(100);
    expect(text.match(/^File: .*$/gm)?.at(-1)).toBe('File: f19.txt');
    const two = await textOf({ pattern: 'hit', max_matches_per_file: 2, dir_path: 'f10.txt' });
    expect(two).toContain(
      '2 matches in 1 file for "hit" in f10.txt (at most 2 of each file, some have more):',
    );
    expect(await filesIn({ pattern: 'hit', total_max_matches: 2 })).toEqual(['f10.txt', 'f11.txt']);
  });

  test('without a match it reports how much was searched [T3]', async () => {
    place.put('a.ts', 'x');
    place.put('b.ts', 'x');
    place.put('c.md', 'needle');
    expect(await textOf({ pattern: 'needle', include_pattern: '*.ts' })).toBe(
      'No matches for "needle" in ., files "*.ts"; 2 files searched.',
    );
  });

  test('include_pattern names files, never options [T3]', async () => {
    for (const path of ['a.ts', 'b.tsx', 'c.md', 'src/d.ts', 'src/lib/e.ts', '#f.ts', 'g h', '--pre=evil'])
      place.put(path, 'needle');
    const including = (include_pattern: string) => filesIn({ pattern: 'needle', include_pattern });
    expect(await including('*.{ts,tsx}')).toEqual(['#f.ts', 'a.ts', 'b.tsx', 'src/d.ts', 'src/lib/e.ts']);
    expect(await including('src/**/*.ts')).toEqual(['src/d.ts', 'src/lib/e.ts']);
    expect(await including('/*.ts')).toEqual(['#f.ts', 'a.ts']);
    expect(await including('#*')).toEqual(['#f.ts']);
    expect(await including('--pre=evil')).toEqual(['--pre=evil']);
    expect(await including('!*.ts')).toEqual(['--pre=evil', 'b.tsx', 'c.md', 'g h']);
  });

  test('a pattern that begins with a dash, or looks like an option, is a pattern', async () => {
    place.put('a.txt', '--pre=x\n-v\n--\n');
    expect(await textOf({ pattern: '--pre=x' })).toContain('L1: --pre=x');
    expect(await textOf({ pattern: '-v', case_sensitive: true })).toContain('L2: -v');
    expect(await textOf({ pattern: '^--$' })).toContain('L3: --');
  });

  describe('files are skipped', () => {
    test('by nested ignore files, where the innermost decides [T3]', async () => {
      for (const path of [
        'a.log',
        'keep.log',
        'dist/x.js',
        'src/b.log',
        'src/keep.log',
        'src/dist/y.js',
        '.hidden/z',
      ])
        place.put(path, 'needle');
      place.put('.gitignore', '*.log\n!keep.log\n/dist/\n');
      place.put('src/.gitignore', 'keep.log\n!b.log\n');
      expect(await filesIn({ pattern: 'needle' })).toEqual([
        '.hidden/z',
        'keep.log',
        'src/b.log',
        'src/dist/y.js',
      ]);
      expect(await filesIn({ pattern: 'needle', dir_path: 'src' })).toEqual(['src/b.log', 'src/dist/y.js']);
      // Naming files is not asking for ignored ones.
      expect(await filesIn({ pattern: 'needle', include_pattern: '*.log' })).toEqual([
        'keep.log',
        'src/b.log',
      ]);
      expect(await filesIn({ pattern: 'needle', include_pattern: '*.log', no_ignore: true })).toHaveLength(4);
    });

    test('by our own ignore files and Gemini CLI’s, at any depth [T3]', async () => {
      for (const path of ['data/a', 'src/gen/b', 'src/c', 'src/deep/d', 'src/deep/e'])
        place.put(path, 'needle');
      place.put('.geminiignore', '/data\ngen/\nd\n');
      place.put('src/deep/.geminiignore', '!d\n');
      place.put('src/deep/.countersignignore', 'e\n');
      expect(await filesIn({ pattern: 'needle' })).toEqual(['src/c', 'src/deep/d']);
      expect(await filesIn({ pattern: 'needle', dir_path: 'src/deep' })).toEqual(['src/deep/d']);
      expect(await filesIn({ pattern: 'needle', no_ignore: true })).toHaveLength(5);
    });

    test('by no ignore file above the workspace, of other tools, or of the environment', async () => {
      writeFileSync(`${place.workspace}/../.gitignore`, '*\n');
      place.put('.ignore', '*\n');
      place.put('a.txt', 'needle');
      place.put('rc', '--files-without-match\n');
      const saved = process.env.RIPGREP_CONFIG_PATH;
      process.env.RIPGREP_CONFIG_PATH = `${place.workspace}/rc`;
      try {
        expect(await filesIn({ pattern: 'needle' })).toEqual(['a.txt']);
      } finally {
        if (saved === undefined) delete process.env.RIPGREP_CONFIG_PATH;
        else process.env.RIPGREP_CONFIG_PATH = saved;
      }
    });

    test('that belong to Git itself', async () => {
      place.put('.git/config', 'needle');
      place.put('sub/.git/config', 'needle');
      place.put('.github/a', 'needle');
      expect(await filesIn({ pattern: 'needle', no_ignore: true })).toEqual(['.github/a']);
      expect(await filesIn({ pattern: 'needle', dir_path: '.git' })).toEqual(['.git/config']);
    });
  });

  test('symbolic links are not followed, wherever they lead [P5]', async () => {
    writeFileSync(`${place.outside}/secret.txt`, 'needle CANARY');
    place.put('a/real.txt', 'needle');
    symlinkSync(place.outside, `${place.workspace}/out`);
    symlinkSync(`${place.outside}/secret.txt`, `${place.workspace}/secret.txt`);
    symlinkSync('..', `${place.workspace}/a/loop`);
    symlinkSync('real.txt', `${place.workspace}/a/again.txt`);
    expect(await filesIn({ pattern: 'needle' })).toEqual(['a/real.txt']);
  });

  test('a directory exchanged for a link after the plan is not searched [P5]', async () => {
    writeFileSync(`${place.outside}/secret.txt`, 'CANARY');
    place.put('d/a', 'x');
    const meanwhile = () => {
      renameSync(`${place.workspace}/d`, `${place.workspace}/e`);
      symlinkSync(place.outside, `${place.workspace}/d`);
    };
    const args = { pattern: 'CANARY', dir_path: 'd' };
    const carried = carryOut(grepSearch([]), args, { workspace: place.workspace, meanwhile });
    expect((await failureOf(carried)).code).toBe('stale_file');
  });

  test('one file is searched although it is ignored, and nothing beside it [T3]', async () => {
    const names = ['we[i]rd *!.txt', 'x.txt', '-n', ' # ', 'new\nline'];
    for (const name of names) place.put(name, 'needle');
    place.put('.gitignore', '*\n');
    for (const dir_path of names) {
      const text = await textOf({ pattern: 'needle', dir_path, include_pattern: '*.none' });
      expect([dir_path, text.match(/^1 match in 1 file/m)?.[0]]).toEqual([dir_path, '1 match in 1 file']);
    }
  });

  test('names that are hard to print stay on one line [A7]', async () => {
    for (const name of ['with blank', 'new\nline', 'ünïcödé', '-dash']) place.put(name, 'needle');
    expect(await filesIn({ pattern: 'needle' })).toEqual(['-dash', '"new\\nline"', 'with blank', 'ünïcödé']);
  });

  test('text in other encodings is searched, binary files are not [T3]', async () => {
    place.put('utf16.txt', Buffer.from('\ufeffneedle in 16\n', 'utf16le'));
    place.put('bom.txt', '\ufeffneedle\n');
    place.put('latin.txt', Buffer.from('caf\xe9 needle\n', 'latin1'));
    place.put('binary', 'needle\n\0\0\0needle\n');
    const text = await textOf({ pattern: 'needle' });
    expect(text).toContain('L1: café needle');
    expect(text).toContain('L1: needle in 16');
    expect(await filesIn({ pattern: '^needle' })).toEqual(['bom.txt', 'utf16.txt']);
  });

  test('a file that turns out to be binary later is omitted, and counted [T3]', async () => {
    place.put('a.bin', `needle\n${'words\n'.repeat(100_000)}\0\0`);
    place.put('b.txt', 'needle');
    place.put('c.bin', `needle\n${'words\n'.repeat(100_000)}\0\0`);
    expect((await textOf({ pattern: 'needle' })).split('\n')).toEqual([
      '1 match in 1 file for "needle" in . (2 files with matches skipped as binary):',
      ...['', 'File: b.txt', 'L1: needle'],
    ]);
  });

  test('a very long line is shown around its match [T5]', async () => {
    place.put('a.txt', `${'é'.repeat(250_000)}needle${'y'.repeat(500_000)}\nshort needle\n`);
    const [line = '', short] = (await textOf({ pattern: 'needle' })).split('\n').slice(3);
    expect(line).toMatch(/^L1: …é{99,100}needley+… \[cut: this line has 1000006 bytes\]$/);
    expect(line.length).toBeLessThan(1_100);
    expect(short).toBe('L2: short needle');
  });

  test('many matches on long lines do not fill an answer [T5]', async () => {
    place.put('a.txt', `needle ${'x'.repeat(900)}\n`.repeat(1_000));
    const text = await textOf({ pattern: 'needle', total_max_matches: 1_000 });
    expect(text.length).toBeLessThan(120_000);
    expect(text).toMatch(/^1000 matches in 1 file .* \(only 11\d shown, in order of path; more do not fit/);
  });

  test('a pattern that cannot be used is named, with what to do [L3]', async () => {
    place.put('a.txt', 'x');
    const problemOf = async (args: JsonObject) => {
      const failure = await failureOf(carry(args));
      return failure.code === 'invalid_tool_params' ? failure.problems.join() : failure.code;
    };
    expect(await problemOf({ pattern: 'foo(' })).toMatch(
      /^"pattern" is not a usable regular expression: .+; to search for it as literal text, set "fixed_strings" to true$/,
    );
    expect(await problemOf({ pattern: '(?=look)' })).toContain(
      '"pattern" is not a usable regular expression',
    );
    expect(await problemOf({ pattern: 'a', exclude_pattern: '[' })).toContain(
      '"exclude_pattern" is not a usable regular',
    );
    expect(await textOf({ pattern: 'foo(', fixed_strings: true })).toContain('No matches');
  });

  test('no pattern takes forever', async () => {
    place.put('a.txt', `${'a'.repeat(5_000)}!\n`);
    const elapsedMs = stopwatch();
    expect(await textOf({ pattern: '(a+)+$' })).toContain('No matches');
    expect(await textOf({ pattern: 'a', exclude_pattern: '(a|a)*b' })).toContain('1 match');
    expect(elapsedMs()).toBeLessThan(5_000);
  });

  test('what cannot be read is named, and the rest is searched [T3]', async () => {
    place.put('open/a', 'needle');
    place.put('open/shut/b', 'needle');
    chmodSync(`${place.workspace}/open/shut`, 0o000);
    const text = await asNobody(() => textOf({ pattern: 'needle', dir_path: 'open' }));
    expect(text).toContain('1 match in 1 file for "needle" in open (1 could not be read: open/shut):');
  });

  test('pipes, sockets and devices are not opened [P5]', async () => {
    execFileSync('mkfifo', [`${place.workspace}/pipe`]);
    place.put('a', 'needle');
    expect(await filesIn({ pattern: 'needle' })).toEqual(['a']);
    expect((await failureOf(carry({ pattern: 'x', dir_path: 'pipe' }))).code).toBe('target_is_special');
  });

  test('a missing path is reported, with near ones [L3]', async () => {
    mkdirSync(`${place.workspace}/source`);
    expect(await failureOf(carry({ pattern: 'x', dir_path: 'sorce' }))).toEqual({
      code: 'file_not_found',
      path: 'sorce',
      nearest: ['source'],
    });
  });

  test('a cancelled search ends, and leaves no process [X3]', async () => {
    // Some gigabytes by their names: to search them all takes far longer than the test may.
    const file = place.put('f', 'some words and others\n'.repeat(100_000));
    for (let link = 0; link < 3_000; link += 1) linkSync(file, `${file}${link}`);
    const before = descendants();
    const cancel = new AbortController();
    const args = { pattern: '(some|other)+.*x$' };
    const running = carryOut(grepSearch([]), args, { workspace: place.workspace, signal: cancel.signal });
    const ended = running.then(
      () => 'found all',
      (thrown: unknown) => String(thrown),
    );
    if (choice === 'with ripgrep')
      await until(
        () => [...descendants().values()].some((name) => /^(rg|ripgrep)$/.test(name)),
        'ripgrep at work',
      );
    else await sleep(20);
    const elapsedMs = stopwatch();
    cancel.abort(new Error('cancelled by the test'));
    expect(await ended).toContain('cancelled by the test');
    expect(elapsedMs()).toBeLessThan(5_000);
    await until(() => isSubset(descendants(), before), 'the end of all that it started', ENDED_WITHIN_MS);
  });

  test('so many matches that they are not even counted end the search [T5]', async () => {
    place.put('a.txt', 'x\n'.repeat(500_000));
    const before = descendants();
    const text = await textOf({ pattern: 'x' });
    expect(text.split('\n')[0]).toMatch(/^More than 20000 matches in 1 file for "x" in \. \(only 100 shown/);
    await until(() => isSubset(descendants(), before), 'the end of all that it started', ENDED_WITHIN_MS);
  });
});

/** A process that was sent SIGKILL takes a moment to be gone. */
const ENDED_WITHIN_MS = 1_000;

/** Names of the living processes below this one, by id: a confined ripgrep is a grandchild. */
function descendants(): Map<number, string> {
  const all = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((pid) => {
      try {
        const [, name = '', state, parent] =
          /\((.*)\) (\S) (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
        return state === 'Z' ? [] : [{ pid: Number(pid), name, parent: Number(parent) }];
      } catch {
        return []; // it ended while we looked
      }
    });
  const below = new Map<number, string>();
  for (let found = -1; found < below.size; ) {
    found = below.size;
    for (const { pid, name, parent } of all)
      if (parent === process.pid || below.has(parent)) below.set(pid, name);
  }
  return below;
}

const isSubset = (some: ReadonlyMap<number, string>, of: ReadonlyMap<number, string>): boolean =>
  [...some.keys()].every((pid) => of.has(pid));
