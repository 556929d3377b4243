import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { type Place, PROGRAM, readCall, test, writeCall } from './program.js';

const FILE = 'countersign.db';
const FORMAT_AT = 60; // of SQLite's header: the field in which the journal's format is kept
const NOBODY = 65_534;

const storeIn = (place: Place, name: string) => {
  const directory = join(place.directory, name);
  mkdirSync(directory);
  return directory;
};

const read = (place: Place, ...args: string[]) => {
  place.write('a.txt', 'hello\n');
  return place.run(['exec', ...args, JSON.stringify(readCall('a.txt'))]);
};

test('--store :memory: writes no files; the default store is readable only by its owner [C3]', async ({
  place,
}) => {
  expect(await read(place, '--store', ':memory:')).toMatchObject({ code: 0 });
  expect(existsSync(place.home)).toBe(false);
  expect(await read(place)).toMatchObject({ code: 0 });
  expect(readdirSync(place.home)).toEqual([FILE]);
});

test('--store takes URLs: memory: keeps nothing, file: names a directory, postgres: is not there yet [C3]', async ({
  place,
}) => {
  expect(await read(place, '--store', 'memory:')).toMatchObject({ code: 0 });
  expect(existsSync(place.home)).toBe(false);

  for (const [name, url] of [
    ['plain', `file:${join(place.directory, 'plain')}`],
    ['with space', pathToFileURL(join(place.directory, 'with space')).href],
  ] as const) {
    expect(await read(place, '--store', url)).toMatchObject({ code: 0 });
    expect(readdirSync(join(place.directory, name))).toEqual([FILE]);
  }

  for (const url of [
    'postgres://ada:secret@db/countersign',
    'postgresql:///countersign',
    'file:',
    'file://elsewhere/x',
  ]) {
    const refused = await read(place, '--store', url);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(/^countersign: --store/);
    expect(refused.stderr).not.toContain('secret');
  }
  expect((await read(place, '--store', 'postgres://db/x')).stderr).toContain('no journals on PostgreSQL yet');
  expect(existsSync(place.home)).toBe(false);
});

test('an unusable store stops the start with what to do, and its files are not changed [C1]', async ({
  place,
}) => {
  const text = storeIn(place, 'text');
  writeFileSync(join(text, FILE), 'my notes\n');
  expect(await read(place, '--store', text)).toMatchObject({
    code: 4,
    stdout: '',
    stderr: `countersign: ${text}/${FILE} is not a Countersign journal.\n  Choose another path with --store. The file was not changed.\n`,
  });
  expect(readFileSync(join(text, FILE), 'utf8')).toBe('my notes\n');

  const file = await read(place, '--store', join(text, FILE));
  expect(file).toMatchObject({ code: 4, stdout: '' });
  expect(file.stderr).toContain(`${text}/${FILE}/${FILE} cannot be used`);

  const newer = storeIn(place, 'newer');
  await read(place, '--store', newer);
  const journal = readFileSync(join(newer, FILE));
  journal.writeUInt32BE(99, FORMAT_AT);
  writeFileSync(join(newer, FILE), journal);
  const { code, stderr } = await read(place, '--store', newer);
  expect(code).toBe(4);
  expect(stderr).toMatch(
    /has format 99; this program supports up to \d+\.\n {2}Update Countersign, or choose/,
  );
  expect(readFileSync(join(newer, FILE))).toEqual(journal);
});

test('a damaged store is reported with its path, and is not changed [C1]', async ({ place }) => {
  const store = storeIn(place, 'damaged');
  const ask = ['exec', '--store', store, '--approvals', 'stdio', '--session', 's1'];
  await place.run([...ask, JSON.stringify(writeCall('a.txt', 'x\n', 'w'))]);
  const file = join(store, FILE);
  const damaged = readFileSync(file, 'latin1').replaceAll('"askedAt"', '"askedIn"');
  writeFileSync(file, damaged, 'latin1');
  for (const command of [
    ['approvals', 'list', '--store', store],
    ['approvals', 'answer', 's1/w', 'proceed_once', '--store', store],
    ['exec', '--resume', 's1', '--store', store, '[]'],
  ]) {
    const { code, stdout, stderr } = await place.run(command);
    expect([code, stdout]).toEqual([4, '']);
    expect(stderr).toContain(`countersign: The journal ${file} is damaged: `);
    expect(stderr).toContain(
      `Restore ${file} from a copy, or remove this session: countersign sessions delete s1`,
    );
  }
  expect(place.has('a.txt')).toBe(false);
});

/** Root may write anywhere, so a refusal can only be seen as somebody else, who must be able to read the program. */
const isRoot = process.geteuid?.() === 0;
const canBeRefused =
  !isRoot ||
  spawnSync(process.execPath, ['-e', `require('node:fs').accessSync(${JSON.stringify(PROGRAM)})`], {
    cwd: '/',
    uid: NOBODY,
    gid: NOBODY,
  }).status === 0;

test('a store that cannot be written is reported [C1]', async ({ place, skip }) => {
  skip(!canBeRefused, 'This checkout is in a directory that nobody cannot enter.');
  const locked = storeIn(place, 'locked');
  chmodSync(locked, 0o555);
  chmodSync(place.directory, 0o755);
  const somebody = isRoot ? { uid: NOBODY } : {};
  const { code, stdout, stderr } = await place.run(['exec', '--store', locked, '[]'], somebody);
  expect([code, stdout]).toEqual([4, '']);
  expect(stderr).toBe(
    `countersign: The journal ${locked}/${FILE} is read-only.\n  Make the file and its directory writable, or choose another with --store.\n`,
  );
});

test('an empty --store is a mistake, not the current directory [C1]', async ({ place }) => {
  for (const command of [
    ['exec', '[]', '--store', ''],
    ['approvals', 'list', '--store', ''],
  ]) {
    const { code, stderr } = await place.run(command);
    expect([code, stderr.split('\n')[0]]).toEqual([2, 'countersign: --store is empty']);
  }
  expect(place.has(FILE)).toBe(false);
});

test('an invalid tool module is reported with what it lacks [C1]', async ({ place }) => {
  const modules: readonly (readonly [string, string])[] = [
    ['export const tools = [];', 'it has no default export'],
    ['export default [{ name: "x" }];', 'a tool lacks description (string), kind (string)'],
    ['export default 3;', 'a tool lacks everything'],
    ['throw new Error("not today");', 'not today'],
    ['export default', 'Unexpected end of input'],
  ];
  for (const [text, problem] of modules) {
    const file = join(place.directory, 'tools.mjs');
    writeFileSync(file, text);
    const { code, stdout, stderr } = await read(place, '--tools', file);
    expect([code, stdout]).toEqual([4, '']);
    expect(stderr).toContain(`${file} does not provide tools: ${problem}`);
  }
  const { code, stderr } = await read(place, '--tools', 'nowhere.mjs');
  expect([code, stderr.split('\n')[0]]).toEqual([
    4,
    'countersign: nowhere.mjs does not provide tools: there is no such file.',
  ]);
});

test('a workspace must be a directory; relative paths of calls are from there [C1] [C3]', async ({
  place,
}) => {
  place.write('sub/a.txt', 'below\n');
  const call = JSON.stringify(readCall('a.txt'));
  const below = await place.run(['exec', '--workspace', 'sub', call]);
  expect(below.lines).toMatchObject([{ status: 'success', output: 'below\n' }]);

  for (const nowhere of ['nowhere', 'sub/a.txt']) {
    const { code, stdout, stderr } = await place.run(['exec', '--workspace', nowhere, call]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe(
      `countersign: The workspace ${join(place.workspace, nowhere)} is not a directory\n  Try: --workspace DIR, with a directory that exists\n`,
    );
  }
});
