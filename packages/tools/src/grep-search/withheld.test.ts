import * as engine from '@countersign/engine';
import { type TemporaryWorkspace, temporaryWorkspace } from '@countersign/host/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readManyFiles } from '../read-many-files/read-many-files.js';
import { carryOut } from '../testing/carry-out.js';
import { shippedJudge } from '../testing/shipped-verdict.js';
import { grepSearch } from './grep-search.js';

const shipped = shippedJudge(engine);

let place: TemporaryWorkspace;
beforeEach(() => {
  place = temporaryWorkspace();
  place.put('.env', 'KEY=CANARY\n');
  place.put('deploy/server.key', 'KEY=CANARY\n');
  place.put('.env.example', 'KEY=\n');
  place.put('src/a.ts', 'const KEY = 1;\n');
});
afterEach(() => place.remove());

const search = async (args: object) => {
  const { result } = await carryOut(grepSearch([]), { ...args }, { workspace: place.workspace });
  return String(result.llmContent);
};

describe('a search of a directory', () => {
  test('omits files that hold secrets, with a note [P5]', async () => {
    const text = await search({ pattern: 'KEY', no_ignore: true });
    expect(text).not.toContain('CANARY');
    expect(text).toContain('File: src/a.ts');
    expect(text).toContain('File: .env.example');
    expect(text).toMatch(/not searched, because they usually hold secrets: .*\.env/);
    expect(text).toContain('deploy/server.key');
  });

  test('does not reveal whether they match [P5]', async () => {
    const withMatch = await search({ pattern: 'CANARY' });
    const without = await search({ pattern: 'CANALS' });
    expect(withMatch.replaceAll('CANARY', 'CANALS')).toBe(without);
    const names = await search({ pattern: 'CANARY', names_only: true, include_pattern: '.env' });
    expect(names).toMatch(/^No matches .*\.env/);
  });

  test('names only those among the files that it is about [P5]', async () => {
    expect(await search({ pattern: 'KEY', include_pattern: '*.ts' })).not.toContain('secrets');
    expect(await search({ pattern: 'KEY', dir_path: 'src' })).not.toContain('secrets');
  });

  test('of one such file is asked about, and then has it [P5]', async () => {
    const args = { pattern: 'KEY', dir_path: '.env' };
    expect(await shipped.onCall(place.workspace, { tool: 'grep_search', args })).toMatchObject({
      decision: 'ask_user',
    });
    expect(await search(args)).toContain('CANARY');
  });
});

describe('reading many files', () => {
  const read = async (args: object) => {
    const { result } = await carryOut(readManyFiles([]), { ...args }, { workspace: place.workspace });
    return String(result.llmContent);
  };

  test.each([
    { include: ['.e*'], useDefaultExcludes: false },
    { include: ['**/*'], useDefaultExcludes: false },
    { include: ['.en?'], useDefaultExcludes: false },
    { include: ['deploy'], useDefaultExcludes: false },
  ])('omits secrets that a pattern finds, and says so: %j [P5]', async (args) => {
    const text = await read(args);
    expect(text).not.toContain('CANARY');
    expect(text).toContain('Excluded, because they usually hold secrets');
  });

  test('of one that is named in full is asked about, and then has it [P5]', async () => {
    const args = { include: ['.env'] };
    expect(await shipped.onCall(place.workspace, { tool: 'read_many_files', args })).toMatchObject({
      decision: 'ask_user',
    });
    expect(await read(args)).toContain('CANARY');
  });
});

test.each([
  ['read_file', { file_path: '/proc/self/environ' }],
  ['grep_search', { pattern: 'x', dir_path: '/proc' }],
  ['list_directory', { dir_path: '/proc/1' }],
  ['read_many_files', { include: ['/proc/*/environ'] }],
  ['glob', { pattern: '/proc/*/environ' }],
])('%s refuses /proc, also after approval [B1] [P5]', async (name, args) => {
  const { builtInTools } = await import('../built-in-tools.js');
  const tool = builtInTools().find((each) => each.name === name);
  if (tool === undefined) throw new Error(name);
  await expect(carryOut(tool, args, { workspace: place.workspace })).rejects.toMatchObject({
    failure: { code: 'target_is_special' },
  });
});

describe('files of Countersign itself', () => {
  const found = async (tool: engine.Tool, args: object) => {
    const { result } = await carryOut(tool, { ...args }, { workspace: place.workspace });
    return String(result.llmContent);
  };

  test('are omitted by tools that look through a directory, by whatever name they are [P8]', async () => {
    place.put('notes/model.txt', 'KEY=CANARY\n');
    place.put('store/output.txt', 'KEY=CANARY\n');
    const ours = [`${place.workspace}/notes/model.txt`, `${place.workspace}/store`];
    for (const args of [{ pattern: 'KEY' }, { pattern: 'KEY', dir_path: 'notes', no_ignore: true }])
      expect(await found(grepSearch(ours), args)).not.toMatch(/CANARY|model\.txt|output\.txt/);
    for (const include of ['**/*.txt', 'notes', 'n*/m*', 'notes/[m]odel.txt'])
      expect(await found(readManyFiles(ours), { include: [include] })).not.toContain('CANARY');
  });

  test('are shown where the place itself was judged as one of them: outputs that are kept for a session [P8]', async () => {
    place.put('store/outputs/1.txt', 'KEY=CANARY\n');
    const ours = [`${place.workspace}/store`];
    const args = { pattern: 'KEY', dir_path: 'store/outputs' };
    expect(await found(grepSearch(ours), args)).toContain('CANARY');
    expect(await found(readManyFiles(ours), { include: ['store/outputs/*'] })).toContain('CANARY');
  });
});
