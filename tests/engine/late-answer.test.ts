import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RemoteClient } from '@countersign/attach';
import { type Journal, memoryJournal } from '@countersign/engine';
import type { Command } from '@countersign/protocol';
import { sqliteJournal } from '@countersign/store-sqlite';
import { deferred, openTestSession, questionOf, testTool, until } from '@countersign/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-late-answer-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** A session with one call that alice has allowed and that ends when told to. */
async function allowedByAlice(journal: Journal) {
  const finish = deferred();
  const act = testTool({
    name: 'act',
    kind: 'edit',
    run: async () => {
      await finish.promise;
      return { llmContent: 'done', returnDisplay: '' };
    },
  });
  const { session } = await openTestSession([act], { journal });
  const ended = session.schedule([{ callId: 'a', name: 'act' }]);
  await until(() => session.snapshot()[0]?.status === 'awaiting_approval', 'the question is asked');
  const { digest } = questionOf(session, 'a');
  const answer = (by: string): Command => ({
    type: 'answer',
    callId: 'a',
    digest,
    outcome: 'proceed_once',
    by,
  });
  expect(await session.send(answer('alice'))).toMatchObject({ ok: true });
  return { session, finish: () => finish.resolve(), answer, ended };
}

const REFUSED = { ok: false, failure: { code: 'already_answered', by: 'alice', outcome: 'proceed_once' } };

test('an answer that comes as the turn ends learns who was first [A5]', async () => {
  const { session, finish, answer, ended } = await allowedByAlice(memoryJournal());
  finish();
  expect(await session.send(answer('bob'))).toMatchObject(REFUSED);
  await ended;
  await session.dispose();
});

test('an answer of another process that comes as the turn ends learns who was first [A5]', async () => {
  const path = join(directory, 'journal.db');
  const own = await sqliteJournal(path);
  const other = await sqliteJournal(path);
  let onSeen = () => {};
  // The call ends exactly between the answer's being seen and its being decided.
  const inbox: Journal['inbox'] = async (sessionId) => {
    const items = await own.inbox(sessionId);
    if (items.length > 0) onSeen();
    return items;
  };
  const journal = new Proxy(own, {
    get(target, name) {
      if (name === 'inbox') return inbox;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const { session, finish, answer, ended } = await allowedByAlice(journal);
  onSeen = finish;
  expect(await new RemoteClient(other, 'test').send(answer('bob'))).toMatchObject(REFUSED);
  await ended;
  await session.dispose();
  await own.close();
  await other.close();
});
