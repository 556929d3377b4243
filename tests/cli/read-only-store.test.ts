import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { root } from '../../scripts/source/files.mjs';
import { leavePending } from './pending-session.js';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

let directory: string;
let store: string;
let file: string;

beforeEach(async () => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-read-only-')));
  store = join(directory, 'store');
  file = join(store, 'countersign.db');
  mkdirSync(join(directory, 'home'));
  mkdirSync(join(directory, 'work'));
  mkdirSync(store);
  for (const place of [directory, store, join(directory, 'home'), join(directory, 'work')]) own(place);
  const call = '{"id":"a","name":"list_directory","args":{"dir_path":"."}}';
  expect(countersign('exec', '--session', 'first', call).status).toBe(0);
  await leavePending(file, 'second');
  for (const name of readdirSync(store)) own(join(store, name));
});
afterEach(() => {
  chmodSync(store, 0o700);
  rmSync(directory, { recursive: true, force: true });
});

const own = (place: string): void => {
  if (isRoot) chownSync(place, NOBODY, NOBODY);
};

/** As an ordinary user: root may write anything. */
function countersign(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'packages/cli/bin/countersign.js'), ...args, '--store', store],
    {
      ...{
        cwd: join(directory, 'work'),
        encoding: 'utf8',
        input: '',
        ...(isRoot && { uid: NOBODY, gid: NOBODY }),
      },
      env: { ...process.env, HOME: join(directory, 'home'), COUNTERSIGN_HOME: join(directory, 'home') },
    },
  );
  return { status, stdout, stderr };
}

/** What SQLite keeps beside the file goes into it. */
function emptyLog(): void {
  const db = new Database(file);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
  own(file);
}

describe.each([
  { what: 'file', restrict: () => chmodSync(file, 0o400) },
  { what: 'directory', restrict: () => chmodSync(store, 0o500) },
])('a store in a read-only $what', ({ restrict }) => {
  test.each([
    { log: 'without a log', prepare: emptyLog },
    { log: 'with what is still in its log', prepare: () => {} },
  ])('can be read by every command that only reads, $log [J1] [C3]', ({ prepare }) => {
    prepare();
    restrict();
    const before = readdirSync(store);

    const list = countersign('sessions', 'list', '--all');
    expect(list).toMatchObject({ status: 0, stdout: expect.stringMatching(/first[\s\S]*|second/) });
    expect(list.stdout).toContain('first');
    expect(list.stdout).toContain('second');
    expect(list.stderr).toContain('read-only');

    expect(countersign('sessions', 'show', 'first')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('list_directory'),
    });
    expect(countersign('sessions', 'export', 'first')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('session.opened'),
    });
    expect(countersign('approvals', 'list')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('second/ask'),
    });
    expect(countersign('stats')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('list_directory'),
    });
    expect(countersign('grants', 'list').status).toBe(0);
    expect(countersign('policy', 'explain', 'first/a').stderr).not.toContain('journal');
    // Nothing was put beside it: not even by SQLite.
    expect(readdirSync(store)).toEqual(before);
  });

  test('is refused in one sentence by every command that writes [J1]', () => {
    restrict();
    const call = '{"id":"c","name":"list_directory","args":{"dir_path":"."}}';
    for (const args of [
      ['exec', call],
      ['sessions', 'delete', 'first', '--yes'],
      ['sessions', 'fork', 'first'],
      ['approvals', 'answer', 'second/ask', 'cancel'],
    ]) {
      const { status, stderr } = countersign(...args);
      expect(stderr).toContain(`The journal ${file} is read-only.`);
      expect(stderr.trim().split('\n').length).toBeLessThanOrEqual(2);
      expect(status).not.toBe(0);
    }
  });
});
