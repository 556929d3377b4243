import { memoryStore } from '@countersign/engine';
import type { Command, Grant } from '@countersign/protocol';
import { openTestSession, questionOf, run, testTool, until } from '@countersign/testkit';
import { expect, test } from 'vitest';
import { alteredJournal } from './altered-journal.js';
import { LOCKED, shortDelay, unreliableJournal } from './unreliable-journal.js';

const planMode: Command = { type: 'set-mode', mode: 'plan', by: 'me' };

/** A session on a store that others use too, reached through a journal that can fail. */
async function openShared(tools = [testTool({ name: 'look' })]) {
  const store = memoryStore({ keep: 'all' });
  const other = store.open();
  const { journal, failing } = unreliableJournal(store.open());
  const { session, troubles } = await openTestSession(tools, { journal, delay: shortDelay });
  return { session, other, journal, failing, troubles };
}

test('what was said while grants could not be read is still heard [J1]', async () => {
  const { session, other, failing } = await openShared();
  failing.grants = 2;
  await other.post('test', planMode);
  await until(() => session.mode === 'plan', 'the command is taken');
  expect(await session.send({ ...planMode, mode: 'manual' })).toMatchObject({ ok: true });
  await session.dispose();
});

test('a command whose inbox could not be read at first is taken later', async () => {
  const { session, other, failing, troubles } = await openShared();
  failing.inbox = 2;
  await other.post('test', planMode);
  await until(() => session.mode === 'plan', 'the command is taken');
  expect(troubles).toContainEqual(LOCKED);
  await session.dispose();
});

test('a command that was left during an outage is taken after it, and meanwhile the journal is given time', async () => {
  const store = memoryStore({ keep: 'all' });
  const { journal, failing } = unreliableJournal(store.open());
  let pauses = 0;
  const delay = () => {
    pauses++;
    return shortDelay();
  };
  const { session } = await openTestSession([], { journal, delay });
  failing.append = 5;
  const inboxId = await store.open().post('test', planMode);
  await until(() => session.mode === 'plan' && failing.append === 0, 'the command is taken');
  expect(pauses).toBeGreaterThanOrEqual(5);
  expect(await journal.outcomeOf(inboxId)).toMatchObject({ ok: true });
  await session.dispose();
});

test('an answer that comes too late is refused, not thrown, when the store cannot be read [A5]', async () => {
  const { session, other, failing } = await openShared();
  const answer: Command = { type: 'answer', callId: 'gone', digest: 'd', outcome: 'cancel', by: 'me' };
  failing.answerOf = 2;
  expect(await session.send(answer)).toEqual({ ok: false, failure: LOCKED });
  const inboxId = await other.post('test', answer);
  let told = await other.outcomeOf(inboxId);
  for (let tries = 0; !told && tries < 100; tries++) {
    await shortDelay();
    told = await other.outcomeOf(inboxId);
  }
  expect(told).toEqual({ ok: false, failure: LOCKED });
  await session.dispose();
});

test('a session that could not be read is given back, and can be opened when it can', async () => {
  const { journal, failing } = unreliableJournal();
  failing.read = 1;
  await expect(openTestSession([], { journal })).rejects.toThrow('locked');
  const { session } = await openTestSession([], { journal });
  await session.dispose();
});

test('a call whose grant was used up at the last moment is asked about, even if reading fails just then [P6]', async () => {
  const store = memoryStore({ keep: 'all' });
  const rival = store.open();
  const owned = await rival.own('rival');
  if (!owned.ok) throw new Error('the session is new');
  const none = {
    sessionId: 'rival',
    expectedSeq: 0,
    token: owned.token,
    events: [],
    consumed: [],
    sync: 'full',
  } as const;
  const grant: Grant = {
    id: 'g',
    pattern: { kind: 'edits' },
    scope: 'project',
    scopeKey: '/w',
    uses: 1,
    expiresAt: null,
    by: 'me',
    at: 1,
  };
  await rival.append({ ...none, views: [{ type: 'grant.added', grant }], claims: [] });

  const { journal, failing } = unreliableJournal(store.open());
  const contested = alteredJournal(journal, {
    append: async (append) => {
      if (append.claims.length > 0) {
        const taken = await rival.append({ ...none, views: [], claims: ['g'] });
        if (taken.ok) failing.read = 1;
      }
      return journal.append(append);
    },
  });
  const edit = testTool({
    name: 'edit',
    kind: 'edit',
    plan: () => ({ resources: [{ kind: 'fs.write', path: '/w/a', scope: 'file' }] }),
  });
  const { session } = await openTestSession([edit], { journal: contested, delay: shortDelay });
  const running = run(session, [{ callId: 'c', name: 'edit' }]);
  await until(() => session.snapshot()[0]?.status === 'awaiting_approval', 'the question is asked');
  const { digest } = questionOf(session, 'c');
  await session.send({ type: 'answer', callId: 'c', digest, outcome: 'proceed_once', by: 'me' });
  expect((await running)[0]?.status).toBe('success');
  await session.dispose();
});

test('an answer with other arguments never lets the shown ones run, whatever fails around it [A3]', async () => {
  const ran: unknown[] = [];
  const edit = testTool({
    name: 'edit',
    kind: 'edit',
    run: ({ text }) => {
      ran.push(text);
      return { llmContent: '', returnDisplay: '' };
    },
  });
  const { session, failing } = await openShared([edit]);
  const running = run(session, [{ callId: 'c', name: 'edit', args: { text: 'as shown' } }]);
  await session.idle();
  const { digest } = questionOf(session, 'c');
  const answer = { type: 'answer', callId: 'c', digest, outcome: 'proceed_once' } as const;

  failing.append = 1;
  failing.read = Number.POSITIVE_INFINITY;
  expect(await session.send({ ...answer, by: 'ann' })).toEqual({ ok: false, failure: LOCKED });
  const changed = { ...answer, by: 'bob', payload: { args: { text: 'as changed' } } };
  const said = session.send(changed);
  for (let round = 0; round < 10; round++) await shortDelay();
  failing.read = 0;
  if (!(await said).ok) expect(await session.send(changed)).toMatchObject({ ok: true });
  await running;
  expect(ran).toEqual(['as changed']);
  await session.dispose();
});

test('a batch that could not be written leaves no gap in the numbers of turns', async () => {
  const { session, failing } = await openShared();
  failing.append = 1;
  expect(await session.schedule([{ name: 'look' }])).toEqual({ ok: false, failure: LOCKED });
  expect(await session.schedule([{ name: 'look' }])).toMatchObject({ ok: true, turn: 1 });
  await session.dispose();
});

test('a trouble that lasts is reported once, again at growing intervals, and its end once [J2]', async () => {
  const store = memoryStore();
  const { journal, failing } = unreliableJournal(store.open());
  let clock = 1_000;
  let over = 0;
  const { session, troubles } = await openTestSession([], {
    ...{ journal, delay: shortDelay, now: () => clock },
    onTroubleOver: () => void over++,
  });
  const other = store.open();
  const setMode = (mode: 'plan' | 'manual') => other.post('test', { type: 'set-mode', mode, by: 'ann' });

  failing.append = 40;
  await setMode('plan');
  await until(() => failing.append === 0 && session.mode === 'plan', 'the command is taken');
  expect(troubles).toEqual([LOCKED]);
  expect(over).toBe(1);

  // It returns: that is news. After a minute it is said again, then after two.
  for (const [passedMs, said] of [
    [0, 2],
    [59_000, 2],
    [2_000, 3],
    [61_000, 3],
    [60_000, 4],
  ] as const) {
    clock += passedMs;
    failing.append = 1_000_000;
    if (passedMs === 0) await setMode('manual');
    await until(() => failing.append < 999_990, 'ten tries');
    expect(troubles).toHaveLength(said);
  }
  failing.append = 0;
  await until(() => session.mode === 'manual', 'the command is taken');
  expect(over).toBe(2);
  await session.dispose();
});
