import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { asNobody, failureOf, type TemporaryWorkspace, temporaryWorkspace } from '@countersign/host/testing';
import type { JsonObject } from '@countersign/protocol';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { carryOut } from '../testing/carry-out.js';
import { chooseRipgrep, RIPGREP_CHOICES } from '../testing/choose-ripgrep.js';
import { readManyFiles } from './read-many-files.js';

let place: TemporaryWorkspace;
beforeEach(() => {
  place = temporaryWorkspace();
});
afterEach(() => place.remove());

const carry = (args: JsonObject) => carryOut(readManyFiles([]), args, { workspace: place.workspace });
const textOf = async (args: JsonObject) => String((await carry(args)).result.llmContent);
const filesIn = async (args: JsonObject) =>
  [...(await textOf(args)).matchAll(/^--- (.*) ---$/gm)].map(([, path]) => path);

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
);

test('the plan names each directory and each file that would be read [T1]', async () => {
  place.put('src/a.ts', '');
  place.put('README.md', '');
  const { draft } = await carry({ paths: ['src/**/*.ts', 'README.md', 'src'] });
  const at = (path: string, scope: 'file' | 'tree') => ({
    kind: 'fs.read',
    path: `${place.workspace}/${path}`,
    scope,
  });
  expect(draft.resources).toEqual([at('src', 'tree'), at('README.md', 'file')]);
  expect(draft.title).toBe('Read src/**/*.ts, README.md, src');
  expect(draft.repeat).toBe('safe');
});

test('what lies outside is named for policy to judge [P5]', async () => {
  writeFileSync(`${place.outside}/secret.txt`, 'CANARY');
  const plan = async (include: string) => (await carry({ include: [include] })).draft.resources;
  expect(await plan('../outside/*')).toEqual([{ kind: 'fs.read', path: place.outside, scope: 'tree' }]);
  expect(await plan('../outside/secret.txt')).toEqual([
    { kind: 'fs.read', path: `${place.outside}/secret.txt`, scope: 'file' },
  ]);
});

describe.each(RIPGREP_CHOICES)('%s', (choice) => {
  let restoreChoice: () => void;
  beforeEach(() => {
    restoreChoice = chooseRipgrep(choice);
  });
  afterEach(() => restoreChoice());

  test('files come in order of path, each once, each under its name [T3]', async () => {
    place.put('src/b.ts', 'const b = 2;');
    place.put('src/a.ts', 'const a = 1;\n');
    place.put('empty', '');
    expect((await carry({ include: ['src/**', 'src/a.ts', 'empty'] })).result).toEqual({
      llmContent: [
        ...['--- empty ---', '[empty is empty.]'],
        ...['--- src/a.ts ---', 'const a = 1;'],
        ...['--- src/b.ts ---', 'const b = 2;'],
        'Read 3 files.',
      ].join('\n'),
      returnDisplay: 'Read 3 files.',
    });
  });

  test('directories and "**" reach below only if recursive [T3]', async () => {
    for (const path of ['src/a', 'src/lib/b', 'c']) place.put(path, 'x');
    expect(await filesIn({ include: ['src'] })).toEqual(['src/a', 'src/lib/b']);
    expect(await filesIn({ include: ['src'], recursive: false })).toEqual(['src/a']);
    expect(await filesIn({ include: ['src/**/*'], recursive: false })).toEqual(['src/a']);
    expect(await filesIn({ include: ['**'], recursive: false })).toEqual(['c']);
  });

  test('exclude, default excludes and ignore files omit, a full name is read [T3]', async () => {
    for (const path of [
      'a.ts',
      'a.test.ts',
      'gen/b.ts',
      'node_modules/c.js',
      'package-lock.json',
      '.env',
      'x.log',
    ])
      place.put(path, 'x');
    place.put('.gitignore', '*.log\n');
    const all = { include: ['**/[!.]*', '.env'] };
    expect(await filesIn({ include: ['**/[!.]*'] })).toEqual(['a.test.ts', 'a.ts', 'gen/b.ts']);
    expect(await filesIn({ ...all, exclude: ['*.test.ts', 'gen', './a.ts'] })).toEqual(['.env']);
    expect(await filesIn({ include: ['**/[!.]*'], useDefaultExcludes: false })).toEqual([
      ...['a.test.ts', 'a.ts', 'gen/b.ts', 'node_modules/c.js', 'package-lock.json'],
    ]);
    expect(await filesIn({ include: ['node_modules/c.js', 'package-lock.json'] })).toHaveLength(2);
    expect(await filesIn({ include: ['x.log'] })).toEqual([]);
    const options = { file_filtering_options: { respect_git_ignore: false } };
    expect(await filesIn({ include: ['x.log'], ...options })).toEqual(['x.log']);
  });

  test('images are returned only if a pattern names them [T3]', async () => {
    place.put('logo.png', PNG);
    place.put('a.txt', 'text');
    const inline = { inlineData: { mimeType: 'image/png', data: PNG.toString('base64') } };
    for (const include of [
      ['logo.png', 'a.txt'],
      ['*.png', 'a.txt'],
    ])
      expect((await carry({ include })).result.llmContent).toEqual([
        '--- a.txt ---\ntext\n--- logo.png ---\n',
        inline,
        'Read 2 files.',
      ]);
    expect(await textOf({ include: ['*'] })).toBe(
      [
        ...['--- a.txt ---', 'text', 'Read 1 of 2 files.', 'Not read:'],
        '- logo.png is image/png; name it, or its extension, to see it.',
      ].join('\n'),
    );
  });

  test('what cannot be read is named with its reason, the rest is read [T3]', async () => {
    place.put('a.txt', 'text');
    place.put('data', Buffer.from([0, 1, 2, 3]));
    chmodSync(place.put('shut', 'x'), 0o000);
    const text = await asNobody(() => textOf({ include: ['*'] }));
    expect(text).toContain('--- a.txt ---\ntext\nRead 1 of 3 files.\nNot read:\n- data is not text');
    expect(text).toContain('- The operating system does not permit access to shut.');
  });

  test('long files are cut as read_file does, and what does not fit is named [T5]', async () => {
    place.put('0.txt', 'line\n'.repeat(3_000));
    for (let file = 1; file < 9; file += 1) place.put(`${file}.txt`, `${'x'.repeat(999)}\n`.repeat(50));
    const text = await textOf({ include: ['*.txt'] });
    expect(text).toContain('[Lines 1-2000 of 3000 of 0.txt. Continue with start_line 2001.]');
    expect(text.length).toBeLessThan(210_000);
    expect(text).toContain(
      'Read 4 of 9 files.\nNo room for 5 files; read these in further calls:\n- 4.txt\n',
    );
  });

  test('links are not followed out of what was judged [P5]', async () => {
    writeFileSync(`${place.outside}/secret.txt`, 'CANARY');
    symlinkSync(place.outside, `${place.workspace}/out`);
    symlinkSync(`${place.outside}/secret.txt`, `${place.workspace}/secret.txt`);
    place.put('a', 'text');
    expect(await filesIn({ include: ['**'] })).toEqual(['a']);
    const meanwhile = () => symlinkSync(place.outside, `${place.workspace}/later`);
    mkdirSync(`${place.workspace}/real`);
    const late = carryOut(
      readManyFiles([]),
      { include: ['later/*'] },
      { workspace: place.workspace, meanwhile },
    );
    const outcome = await late.then(
      ({ result }) => result.llmContent,
      () => failureOf(late),
    );
    expect(JSON.stringify(outcome)).not.toContain('CANARY');
  });

  test('without any file it reports that', async () => {
    expect(await textOf({ include: ['*.nothing', 'missing/x'] })).toBe(
      'No files to read match *.nothing, missing/x.',
    );
  });
});
