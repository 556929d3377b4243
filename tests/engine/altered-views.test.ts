import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteJournal } from '@countersign/store-sqlite';
import { openTestSession, questionOf, testTool, until } from '@countersign/testkit';
import Database from 'libsql';
import { afterEach, beforeEach, expect, test } from 'vitest';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-altered-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const edit = testTool({
  name: 'edit',
  kind: 'edit',
  plan: () => ({ resources: [{ kind: 'fs.write', path: '/w/f', scope: 'file' }], confirmation: EDIT }),
});
const EDIT = {
  type: 'edit',
  title: 'edit',
  fileName: 'f',
  filePath: '/w/f',
  fileDiff: '',
  originalContent: null,
  newContent: '',
  diffStat: { added: 1, removed: 0 },
} as const;

const alter = (sql: string): void => {
  const db = new Database(join(directory, 'j.db'));
  db.exec(sql);
  db.close();
};

async function open() {
  const journal = await sqliteJournal(join(directory, 'j.db'));
  const { session } = await openTestSession([edit], { journal });
  const leave = async () => {
    await session.dispose();
    await journal.close();
  };
  const waits = () => session.snapshot()[0]?.status === 'awaiting_approval';
  return { journal, session, waits, leave };
}

test('uses of a grant that were taken do not come back when its row says so [P6] [J1]', async () => {
  const first = await open();
  const batch = first.session.schedule([{ callId: 'a', name: 'edit' }]);
  await until(first.waits, 'it asks');
  const { digest } = questionOf(first.session, 'a');
  const always = {
    type: 'answer',
    callId: 'a',
    digest,
    outcome: 'proceed_always_and_save',
    by: 'ann',
  } as const;
  expect(await first.session.send({ ...always, payload: { uses: 2 } })).toMatchObject({ ok: true });
  await batch;
  for (const callId of ['b', 'c']) {
    const used = await first.session.schedule([{ callId, name: 'edit' }], { attended: 'nobody' });
    expect(used).toMatchObject({ ok: true, calls: [{ status: 'success' }] });
  }
  await first.leave();
  alter('UPDATE grants SET uses = 2');

  const second = await open();
  const refused = await second.session.schedule([{ callId: 'd', name: 'edit' }], { attended: 'nobody' });
  expect(refused).toMatchObject({
    ok: true,
    calls: [{ status: 'error', failure: { code: 'nobody_to_ask' } }],
  });
  expect(await second.journal.grants('all')).toEqual([]);
  await second.leave();
});

test('a fact about a grant that was altered is refused by name [P6] [J1]', async () => {
  const first = await open();
  const batch = first.session.schedule([{ callId: 'a', name: 'edit' }]);
  await until(first.waits, 'it asks');
  const { digest } = questionOf(first.session, 'a');
  await first.session.send({
    ...{ type: 'answer', callId: 'a', digest, outcome: 'proceed_always_and_save', by: 'ann' },
    payload: { uses: 2 },
  });
  await batch;
  await first.leave();
  alter(
    `UPDATE journal SET body = replace(body, '"uses":2', '"uses":9') WHERE instr(body, 'grant.added') > 0`,
  );
  const journal = await sqliteJournal(join(directory, 'j.db'));
  await expect(journal.grants('all')).rejects.toMatchObject({
    failure: {
      code: 'journal_corrupt',
      detail: expect.stringMatching(/in session test, the records \d+ to \d+ were altered/),
    },
  });
  await journal.close();
});
