import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JournalError } from '@countersign/engine/journal';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownChange } from '../changes/session-rows.js';
import { type Connect, type Db, DbError, loadDriver } from './open-database.js';
import { SqliteStore } from './sqlite-store.js';

/** Disks fail in ways that no test can ask for, so the last step of a real database is made to fail here. */
type Fault =
  | 'none'
  | 'fails and is there'
  | 'fails and is not there'
  | 'fails and the disk is gone'
  | 'fails and the file is moved away';

let directory: string;
let path: string;
let fault: Fault;
let connections: number;
let stores: SqliteStore[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'journal-store-'));
  path = join(directory, 'journal.db');
  fault = 'none';
  connections = 0;
  stores = [];
});
afterEach(async () => {
  for (const store of stores) await store.close(null);
  rmSync(directory, { recursive: true });
});

async function faulty(): Promise<Connect> {
  const connect = await loadDriver();
  return (place): Db => {
    connections++;
    if (fault === 'fails and the disk is gone') throw new DbError('other', 'input/output error');
    const db = connect(place);
    return {
      ...db,
      exec(sql) {
        if (sql !== 'COMMIT' || fault === 'none') return db.exec(sql);
        if (fault === 'fails and is there') db.exec(sql);
        if (fault === 'fails and the file is moved away') renameSync(path, `${path}.away`);
        throw new DbError('other', 'disk I/O error (SQLITE_IOERR_FSYNC)');
      },
    };
  };
}

async function open(): Promise<SqliteStore> {
  const store = await SqliteStore.open(path, await faulty(), {
    lockTimeoutMs: 50,
    bytesMax: null,
    onReadOnly: null,
  });
  stores.push(store);
  return store;
}

const ownersOf = (store: SqliteStore) => store.read((db) => db.all('SELECT id, owner_token FROM sessions'));

test('a commit that reports a fault but is there counts as made [J2]', async () => {
  const store = await open();
  const before = connections;
  fault = 'fails and is there';
  expect(await store.write(ownChange('s'))).toMatchObject({ ok: true, token: 1 });
  // It was looked at through a new connection: the old one may believe what the disk does not have.
  expect(connections).toBe(before + 1);
  expect(await ownersOf(store)).toEqual([{ id: 's', owner_token: 1 }]);
});

test('a commit that reports a fault and is not there is reported, and can be made again [J2]', async () => {
  const store = await open();
  fault = 'fails and is not there';
  await expect(store.write(ownChange('s'))).rejects.toMatchObject({
    failure: { code: 'journal_unavailable', detail: 'disk I/O error (SQLITE_IOERR_FSYNC)' },
  });
  expect(await ownersOf(store)).toEqual([]);
  fault = 'none';
  expect(await store.write(ownChange('s'))).toMatchObject({ ok: true, token: 1 });
});

test('when it cannot be seen whether a commit is there, that is said [J2]', async () => {
  const store = await open();
  fault = 'fails and the disk is gone';
  const failing = store.write(ownChange('s'));
  await expect(failing).rejects.toBeInstanceOf(JournalError);
  await expect(failing).rejects.toMatchObject({
    failure: { code: 'journal_unavailable', detail: expect.stringContaining('is not known') },
  });
  // Once the disk works again, so does the journal.
  fault = 'none';
  expect(await ownersOf(store)).toEqual([]);
});

test('a journal file that was removed is not created again by a read [J1]', async () => {
  const store = await open();
  fault = 'fails and the file is moved away';
  await expect(store.write(ownChange('s'))).rejects.toMatchObject({
    failure: { code: 'journal_unavailable', detail: expect.stringContaining('is not known') },
  });
  await expect(ownersOf(store)).rejects.toMatchObject({
    failure: { detail: expect.stringContaining('removed') },
  });
  expect(existsSync(path)).toBe(false);

  fault = 'none';
  renameSync(`${path}.away`, path);
  expect(await ownersOf(store)).toEqual([]);
});
