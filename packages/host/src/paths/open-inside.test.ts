import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { ToolFailure } from '@countersign/protocol';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { asNobody, failureOf, type TemporaryWorkspace, temporaryWorkspace } from '../testing/index.js';
import { errnoOf } from './file-failure.js';
import { readWholeFile } from './open-file.js';
import { type HeldDirectory, holdByChecking, insideDirectory, liesAt } from './open-inside.js';

let place: TemporaryWorkspace;
beforeEach(() => {
  place = temporaryWorkspace();
});
afterEach(() => place.remove());

const openDescriptors = () => readdirSync('/proc/self/fd').length;

test('a held directory stays the same one while its path is given to another [P5]', async () => {
  place.put('d/a', 'inside');
  writeFileSync(`${place.outside}/a`, 'CANARY');
  const seen = await insideDirectory(`${place.workspace}/d`, 'fail', async (directory) => {
    renameSync(`${place.workspace}/d`, `${place.workspace}/moved`);
    symlinkSync(place.outside, `${place.workspace}/d`);
    writeFileSync(directory.at('b'), 'new');
    return readFileSync(directory.at('a'), 'utf8');
  });
  expect(seen).toBe('inside');
  expect(readFileSync(`${place.workspace}/moved/b`, 'utf8')).toBe('new');
  expect(readdirSync(place.outside)).toEqual(['a']);
});

test('a symlink anywhere on a resolved path was put there since [P5]', async () => {
  symlinkSync(place.outside, `${place.workspace}/link`);
  const work = async () => 'reached';
  for (const missing of ['fail', 'create'] as const) {
    expect(await failureOf(insideDirectory(`${place.workspace}/link`, missing, work))).toEqual({
      code: 'stale_file',
      path: `${place.workspace}/link`,
    });
    expect(await failureOf(insideDirectory(`${place.workspace}/link/x/y`, missing, work))).toEqual({
      code: 'stale_file',
      path: `${place.workspace}/link`,
    });
  }
  expect(readdirSync(place.outside)).toEqual([]);
});

describe('a directory that was opened by its whole path', () => {
  const opened = (path: string, then: (fd: number) => void) => {
    const fd = openSync(path, 'r');
    try {
      then(fd);
    } finally {
      closeSync(fd);
    }
  };

  test('is not the one meant if a parent was swapped before it was opened, or before that was checked [P5]', () => {
    place.put('d/inner/a', 'inside');
    mkdirSync(`${place.outside}/inner`);
    const path = `${place.workspace}/d/inner`;
    opened(path, (fd) => {
      expect(liesAt(fd, path)).toBe(true);
      renameSync(`${place.workspace}/d`, `${place.workspace}/moved`);
      symlinkSync(place.outside, `${place.workspace}/d`);
      expect(liesAt(fd, path)).toBe(false);
      expect(liesAt(fd, `${place.workspace}/moved/inner`)).toBe(true);
    });
    opened(path, (fd) => expect(liesAt(fd, path)).toBe(false));
  });

  test('is not one that was removed [P5]', () => {
    mkdirSync(`${place.workspace}/d`);
    opened(`${place.workspace}/d`, (fd) => {
      rmSync(`${place.workspace}/d`, { recursive: true });
      mkdirSync(`${place.workspace}/d`);
      expect(liesAt(fd, `${place.workspace}/d`)).toBe(false);
    });
  });

  test('is not another whose name only reads the same [P5]', () => {
    const noText = Buffer.concat([Buffer.from(`${place.workspace}/`), Buffer.from([0xff])]);
    mkdirSync(noText);
    symlinkSync(noText, `${place.workspace}/\ufffd`);
    const path = `${place.workspace}/\ufffd`;
    opened(path, (fd) => expect(liesAt(fd, path)).toBe(false));
  });
});

test('while a parent is swapped all the time, only the directory that was meant is ever seen [P5]', async () => {
  place.put('d/inner/a', 'inside');
  mkdirSync(`${place.outside}/inner`);
  writeFileSync(`${place.outside}/inner/a`, 'CANARY');
  const before = openDescriptors();
  const swapping = new Worker(SWAPPING, {
    eval: true,
    workerData: { workspace: place.workspace, outside: place.outside },
  });
  let isOver = false;
  swapping.once('exit', () => {
    isOver = true;
  });
  const look = (directory: HeldDirectory) => Promise.resolve(readFileSync(directory.at('a'), 'utf8'));
  const said = (error: unknown) => (error instanceof ToolFailure ? error.failure.code : errnoOf(error));
  const seen = new Set<string | null>();
  for (let looks = 1; !isOver; looks += 1) {
    seen.add(await insideDirectory(`${place.workspace}/d/inner`, 'fail', look).catch(said));
    if (looks % LOOKS_PER_TURN === 0) await setImmediate();
  }
  for (const each of seen) expect(['inside', 'stale_file', 'ENOENT']).toContain(each);
  expect(openDescriptors()).toBe(before);
});

const LOOKS_PER_TURN = 20; // waiting after each would leave most swaps unmet
const SWAPPING = `
  const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
  const { workspace, outside } = require('node:worker_threads').workerData;
  for (let swap = 0; swap < 2000; swap += 1) {
    renameSync(workspace + '/d', workspace + '/moved');
    symlinkSync(outside, workspace + '/d');
    unlinkSync(workspace + '/d');
    renameSync(workspace + '/moved', workspace + '/d');
  }
`;

test('missing directories are made, and no descriptor is left open', async () => {
  const before = openDescriptors();
  await insideDirectory(`${place.workspace}/a/b/c`, 'create', async (directory) =>
    writeFileSync(directory.at('f'), 'x'),
  );
  await expect(insideDirectory(`${place.workspace}/not/there`, 'fail', async () => {})).rejects.toThrow(
    'ENOENT',
  );
  await expect(
    insideDirectory(place.workspace, 'fail', async () => {
      throw new Error('work failed');
    }),
  ).rejects.toThrow('work failed');
  place.put('file', '');
  await failureOf(insideDirectory(`${place.workspace}/file`, 'fail', async () => {}));
  expect(openDescriptors()).toBe(before);
  expect(readFileSync(`${place.workspace}/a/b/c/f`, 'utf8')).toBe('x');
});

test('a directory that may be searched but not listed can be passed through', async () => {
  place.put('closed/inner/a', 'x');
  chmodSync(`${place.workspace}/closed`, 0o711);
  const seen = await asNobody(() =>
    insideDirectory(`${place.workspace}/closed/inner`, 'fail', async (directory) =>
      readFileSync(directory.at('a'), 'utf8'),
    ),
  );
  expect(seen).toBe('x');
});

describe('where no descriptor can be held', () => {
  test('the path must lead to itself before and after [P5]', () => {
    mkdirSync(`${place.workspace}/d`);
    const held = holdByChecking(`${place.workspace}/d`, 'fail');
    held.assertInPlace();
    rmSync(`${place.workspace}/d`, { recursive: true });
    symlinkSync(place.outside, `${place.workspace}/d`);
    expect(() => held.assertInPlace()).toThrow('stale_file');
    expect(() => holdByChecking(`${place.workspace}/d/new`, 'create')).toThrow('stale_file');
    expect(readdirSync(place.outside)).toEqual([]);
  });

  test('missing directories are made', () => {
    holdByChecking(`${place.workspace}/a/b`, 'create').assertInPlace();
    expect(readdirSync(`${place.workspace}/a`)).toEqual(['b']);
  });
});

describe('opening a file', () => {
  const read = (name: string) =>
    insideDirectory(place.workspace, 'fail', (directory) => readWholeFile(directory, name, name, 100));

  test('gives all its bytes, or null where there is none', async () => {
    place.put('a', 'content');
    place.put('empty', '');
    expect((await read('a'))?.bytes.toString()).toBe('content');
    expect((await read('empty'))?.bytes.length).toBe(0);
    expect(await read('b')).toBe(null);
  });

  test('refuses more than the limit', async () => {
    place.put('a', 'x'.repeat(101));
    expect(await failureOf(read('a'))).toEqual({
      code: 'file_too_large',
      path: 'a',
      bytes: 101,
      bytesMax: 100,
    });
  });

  test('never opens what is no regular file, and never waits for it [P5]', async () => {
    execFileSync('mkfifo', [`${place.workspace}/pipe`]);
    const server = createServer().listen(`${place.workspace}/socket`);
    mkdirSync(`${place.workspace}/dir`);
    place.put('target', '');
    symlinkSync('target', `${place.workspace}/link`);
    expect(await failureOf(read('pipe'))).toEqual({
      code: 'target_is_special',
      path: 'pipe',
      what: 'a named pipe',
    });
    await new Promise((resolve) => (server.listening ? resolve(null) : server.once('listening', resolve)));
    expect(await failureOf(read('socket'))).toMatchObject({ code: 'target_is_special', what: 'a socket' });
    expect((await failureOf(read('dir'))).code).toBe('target_is_directory');
    expect((await failureOf(read('link'))).code).toBe('stale_file');
    await new Promise((resolve) => server.close(resolve));
  });
});
