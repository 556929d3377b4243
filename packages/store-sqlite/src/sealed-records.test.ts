import { hash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Journal, JournalError } from '@countersign/engine/journal';
import { append, approval, asking, grant, loaded, opened } from '@countersign/engine/testing';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sqliteJournal } from './index.js';

/** A store as the last release of format 1 wrote it: two calls done by a grant, and one that waits. */
const FORMAT_1 = readFileSync(new URL('testing/format-1.sql', import.meta.url), 'utf8');

let directory: string;
let path: string;
let journals: Journal[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'sealed-records-'));
  path = join(directory, 'journal.db');
  journals = [];
});
afterEach(async () => {
  for (const journal of journals) await journal.close();
  rmSync(directory, { recursive: true });
});

async function open(): Promise<Journal> {
  const journal = await sqliteJournal(path);
  journals.push(journal);
  return journal;
}

function sql(...statements: readonly string[]): readonly unknown[] {
  const db = new Database(path);
  try {
    let rows: readonly unknown[] = [];
    for (const each of statements)
      if (/^(SELECT|PRAGMA \w+$)/.test(each)) rows = db.prepare(each).all([]);
      else db.exec(each);
    return rows;
  } finally {
    db.close();
  }
}

const detailOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no failure',
    (thrown: unknown) =>
      thrown instanceof JournalError && thrown.failure.code === 'journal_corrupt'
        ? thrown.failure.detail
        : String(thrown),
  );

/** Records 0–1, 2–3 and 4 of session `s`; the second one makes a grant, the last one asks something. */
async function madeJournal(): Promise<void> {
  const journal = await open();
  const owned = await journal.own('s');
  if (!owned.ok) throw new Error(owned.failure.code);
  const { token } = owned;
  const given = grant('g');
  const row = approval('s', 'c1');
  const appends = [
    append('s', token, 0, { events: [opened(), loaded('1')] }),
    append('s', token, 2, {
      events: [loaded('2'), { type: 'grant.added', grant: given, callId: 'c0' }],
      views: [{ type: 'grant.added', grant: given }],
    }),
    append('s', token, 4, { events: asking(row), views: [{ type: 'approval.asked', row }] }),
  ];
  for (const each of appends) expect(await journal.append(each)).toMatchObject({ ok: true });
  await journal.close();
}

/** Take the content of a record out, and leave the commitment to it. */
function removeBody(firstSeq: number): void {
  const db = new Database(path);
  const row: unknown = db.prepare('SELECT salt, body FROM journal WHERE first_seq = ?').get([firstSeq]);
  if (typeof row !== 'object' || row === null || !('salt' in row && 'body' in row))
    throw new Error('no record');
  const commitment = hash('sha256', `${String(row.salt)}${String(row.body)}`);
  db.prepare(`UPDATE journal SET body = '', salt = NULL, commitment = ? WHERE first_seq = ?`).run([
    commitment,
    firstSeq,
  ]);
  db.close();
}

describe('a store of format 1', () => {
  beforeEach(() => void sql(FORMAT_1));

  test('is read as it was written, what waits is shown and what was granted is in force [J1] [A6]', async () => {
    const journal = await open();
    expect(await journal.read('old', 0)).toHaveLength(24);
    expect((await journal.approvals()).map(({ callId, title }) => [callId, title])).toEqual([
      ['c3', 'memo c.txt'],
    ]);
    expect(await journal.grants('all')).toHaveLength(1);
    expect(await journal.session('old')).toMatchObject({ workspace: '/home/me/project', owner: null });
    expect(sql('PRAGMA user_version')).toEqual([{ user_version: 3 }]);
  });

  test('continues with sealed records after the existing ones, and both are checked [J1]', async () => {
    const journal = await open();
    const owned = await journal.own('old', 'exec');
    if (!owned.ok) throw new Error(owned.failure.code);
    const last = append('old', owned.token, 24, { events: [loaded('new')] });
    expect(await journal.append(last)).toEqual({ ok: true, seq: 25 });
    expect(await journal.read('old', 0)).toHaveLength(25);
    expect(sql('SELECT count(*) AS sealed FROM journal WHERE salt IS NOT NULL')).toEqual([{ sealed: 1 }]);

    sql(`UPDATE journal SET body = replace(body, 'a.txt', 'z.txt') WHERE salt IS NULL AND first_seq = 2`);
    expect(await detailOf(journal.read('old', 0))).toContain('altered');
  });

  test('an old record that is dressed up as a sealed one, or emptied, is noticed [J1]', async () => {
    const journal = await open();
    const overlooked: string[] = [];
    for (const change of [`salt = 'x', commitment = 'y'`, `salt = 'x'`, `commitment = hash`, `body = ''`]) {
      sql('CREATE TABLE before AS SELECT * FROM journal', `UPDATE journal SET ${change} WHERE first_seq = 2`);
      if (!(await detailOf(journal.read('old', 0))).includes('altered')) overlooked.push(change);
      sql('DELETE FROM journal', 'INSERT INTO journal SELECT * FROM before', 'DROP TABLE before');
    }
    expect(overlooked).toEqual([]);
    expect(await journal.read('old', 0)).toHaveLength(24);
  });

  test('two processes that open it at once bring it up to date once', async () => {
    const [first, second] = await Promise.all([open(), open()]);
    expect(await first.list()).toEqual(await second.list());
  });
});

describe('sealed records', () => {
  test('what is altered in a body, a salt, a commitment or the chain is noticed [J1]', async () => {
    await madeJournal();
    const overlooked: string[] = [];
    for (const change of [
      `body = replace(body, '"2"', '"9"')`,
      `salt = 'another'`,
      'salt = NULL',
      `body = ''`,
      `commitment = 'f00'`,
      `commitment = 'f00', salt = NULL`,
      `commitment = 'f00', salt = NULL, body = ''`,
      `hash = 'f00'`,
      'last_seq = 2',
      `body = (SELECT body FROM journal WHERE first_seq = 0), salt = (SELECT salt FROM journal WHERE first_seq = 0)`,
    ]) {
      sql('CREATE TABLE before AS SELECT * FROM journal', `UPDATE journal SET ${change} WHERE first_seq = 2`);
      const journal = await open();
      if (!/altered|missing/.test(await detailOf(journal.read('s', 0)))) overlooked.push(change);
      // In force is only what a checked fact has made.
      if ((await journal.grants('all').catch(() => [])).length > 0)
        overlooked.push(`${change}, and its grant`);
      await journal.close();
      sql('DELETE FROM journal', 'INSERT INTO journal SELECT * FROM before', 'DROP TABLE before');
    }
    expect(overlooked).toEqual([]);
    expect(await (await open()).read('s', 0)).toHaveLength(7);
  });

  test('equal bodies have different salts, so that none can be guessed from its commitment [J1]', async () => {
    const journal = await open();
    for (const id of ['a', 'b']) {
      const owned = await journal.own(id);
      if (owned.ok) await journal.append(append(id, owned.token, 0, { events: [opened()] }));
    }
    const [counted] = sql(
      'SELECT count(DISTINCT body) AS bodies, count(DISTINCT salt) AS salts FROM journal',
    );
    expect(counted).toEqual({ bodies: 1, salts: 2 });
  });

  test('a body that is removed with its salt leaves a chain that is checked before and behind it [J1]', async () => {
    await madeJournal();
    removeBody(2);
    const journal = await open();
    expect(await journal.session('s')).toMatchObject({ workspace: '/home/me/project', seq: 7 });
    expect(await journal.read('s', 4)).toHaveLength(3);
    expect((await journal.approvals()).map(({ callId }) => callId)).toEqual(['c1']);
    expect(await journal.messages('all')).toEqual([]);

    const owned = await journal.own('s');
    if (!owned.ok) throw new Error(owned.failure.code);
    expect(await journal.append(append('s', owned.token, 7, { events: [loaded('on')] }))).toMatchObject({
      ok: true,
    });
    expect(await journal.read('s', 4)).toHaveLength(4);
    sql(`UPDATE journal SET commitment = 'f00' WHERE first_seq = 2`);
    expect(await detailOf(journal.read('s', 2))).toContain('altered');
  });

  test('nothing is decided on facts whose content was removed: no fold, and no grant [P6] [A6]', async () => {
    await madeJournal();
    removeBody(2);
    const journal = await open();
    expect(await detailOf(journal.read('s', 0))).toContain('the content of the records 2 to 3 was removed');
    expect(await detailOf(journal.grants('all'))).toContain('the content of records was removed');
  });
});
