import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { failureOf, type TemporaryWorkspace, temporaryWorkspace } from '@countersign/host/testing';
import type { JsonObject } from '@countersign/protocol';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { carryOut } from '../testing/carry-out.js';
import { listDirectory } from './list-directory.js';

let place: TemporaryWorkspace;
beforeEach(() => {
  place = temporaryWorkspace();
});
afterEach(() => place.remove());

const carry = (args: JsonObject) => carryOut(listDirectory, args, { workspace: place.workspace });
const list = async (args: JsonObject) => (await carry(args)).result;
const namesIn = async (args: JsonObject) =>
  String((await list(args)).llmContent)
    .split('\n')
    .slice(1);

test('the plan names the directory with all that is in it [T1]', async () => {
  const { draft } = await carry({ dir_path: '.' });
  expect(draft).toEqual({
    title: 'List .',
    resources: [{ kind: 'fs.read', path: place.workspace, scope: 'tree' }],
    repeat: 'safe',
    locations: [{ path: place.workspace }],
  });
});

test('directories come first, then names in order; links and pipes are marked [T3]', async () => {
  place.put('b.ts', '');
  place.put('B.ts', '');
  place.put('z/inner', '');
  place.put('a/inner', '');
  symlinkSync(place.outside, `${place.workspace}/way-out`);
  execFileSync('mkfifo', [`${place.workspace}/pipe`]);
  expect(await list({ dir_path: '.' })).toEqual({
    llmContent: [
      '6 names in .:',
      '[DIR] a',
      '[DIR] z',
      'B.ts',
      'b.ts',
      '[SPECIAL: a named pipe] pipe',
      `[LINK] way-out -> ${place.outside}`,
    ].join('\n'),
    returnDisplay: 'Listed 6 names in .',
  });
});

test('an empty directory is reported as empty', async () => {
  mkdirSync(`${place.workspace}/d`);
  expect(await list({ dir_path: 'd/' })).toEqual({
    llmContent: 'd is empty.',
    returnDisplay: 'Listed 0 names in d',
  });
});

test('a name with a line break does not pass for two [A7]', async () => {
  place.put('a\n[DIR] b', '');
  expect(await namesIn({ dir_path: '.' })).toEqual(['"a\\n[DIR] b"']);
});

test('a long listing is cut, with a note [T5]', async () => {
  mkdirSync(`${place.workspace}/many`);
  for (let index = 0; index < 1_050; index += 1) writeFileSync(`${place.workspace}/many/${index}`, '');
  const { llmContent } = await list({ dir_path: 'many' });
  const lines = String(llmContent).split('\n');
  expect(lines[0]).toBe(
    '1000 names in many (50 more not shown; exclude some with "ignore", or list a subdirectory):',
  );
  expect(lines).toHaveLength(1_001);
});

describe('names are skipped', () => {
  beforeEach(() => {
    for (const path of ['a.log', 'a.ts', 'dist/x', 'src/dist/x', 'src/b.log', 'src/keep.log', '#a#'])
      place.put(path, '');
  });

  test('by the globs given, literally [T3]', async () => {
    const listed = await list({ dir_path: '.', ignore: ['**/*.log', 'dist/', '#?#', '!x'] });
    expect(listed.llmContent).toBe('2 names in . (3 excluded by ignore patterns):\n[DIR] src\na.ts');
  });

  test('by ignore files of the directory and those above it, the innermost last [T3]', async () => {
    place.put('.gitignore', '*.log\n/dist/\n');
    place.put('src/.gitignore', '!keep.log\n');
    expect(await namesIn({ dir_path: '.' })).toEqual(['[DIR] src', '#a#', '.gitignore', 'a.ts']);
    expect(await namesIn({ dir_path: 'src' })).toEqual(['[DIR] dist', '.gitignore', 'keep.log']);
    const options = { file_filtering_options: { respect_git_ignore: false } };
    expect(await namesIn({ dir_path: 'src', ...options })).toEqual([
      '[DIR] dist',
      '.gitignore',
      'b.log',
      'keep.log',
    ]);
  });

  test('by our own and Gemini CLI’s ignore files, unless the arguments disable them [T3]', async () => {
    place.put('.geminiignore', 'a.ts\n');
    place.put('.countersignignore', 'dist\n');
    expect(await namesIn({ dir_path: '.' })).toEqual([
      '[DIR] src',
      '#a#',
      '.countersignignore',
      '.geminiignore',
      'a.log',
    ]);
    const options = { file_filtering_options: { respect_gemini_ignore: false } };
    expect(await namesIn({ dir_path: '.', ...options })).toContain('a.ts');
  });

  test('never by an ignore file that is a link', async () => {
    writeFileSync(`${place.outside}/rules`, '*\n');
    symlinkSync(`${place.outside}/rules`, `${place.workspace}/.gitignore`);
    expect(await namesIn({ dir_path: '.' })).toContain('a.ts');
  });
});

test('what is no directory, or not there, is named [L3]', async () => {
  place.put('src/a.ts', '');
  expect(await failureOf(carry({ dir_path: 'src/a.ts' }))).toEqual({
    code: 'target_is_not_directory',
    path: `${place.workspace}/src/a.ts`,
  });
  expect(await failureOf(carry({ dir_path: 'scr/' }))).toEqual({
    code: 'file_not_found',
    path: 'scr',
    nearest: ['src'],
  });
});

test('a directory replaced by a symlink after the plan is not followed [P5]', async () => {
  writeFileSync(`${place.outside}/CANARY`, '');
  place.put('d/a', '');
  const meanwhile = () => {
    renameSync(`${place.workspace}/d`, `${place.workspace}/e`);
    symlinkSync(place.outside, `${place.workspace}/d`);
  };
  const carried = carryOut(listDirectory, { dir_path: 'd' }, { workspace: place.workspace, meanwhile });
  expect((await failureOf(carried)).code).toBe('stale_file');
});

test('path and ls are understood [T3]', () => {
  expect(listDirectory.renameArgs?.({ path: 'a' })).toEqual({ dir_path: 'a' });
  expect(listDirectory.aliases).toEqual([{ name: 'ls' }]);
});
