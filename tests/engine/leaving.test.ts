import { memoryStore, type StartTimer } from '@countersign/engine';
import { deferred, openTestSession, questionOf, run, testTool, until } from '@countersign/testkit';
import { expect, test } from 'vitest';
import { shortDelay, unreliableJournal } from './unreliable-journal.js';

const forever = () => new Promise<never>(() => {});

/** A tool that runs until it is told to stop. */
function endless() {
  const told = { toStop: false };
  const tool = testTool({
    name: 'endless',
    run: (_, { signal }) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => {
          told.toStop = true;
          reject(new Error('stopped'));
        }),
      ),
  });
  return { tool, told };
}

async function runningEndlessly() {
  const store = memoryStore({ keep: 'all' });
  const { journal, failing } = unreliableJournal(store.open());
  const { tool, told } = endless();
  const { session } = await openTestSession([tool], { journal, delay: shortDelay });
  const abort = new AbortController();
  const running = session.schedule([{ callId: 'c', name: 'endless' }], { signal: abort.signal });
  await until(() => session.snapshot()[0]?.status === 'executing', 'the call runs');
  return { session, store, failing, told, abort, running };
}

test('what dispose wants stopped is stopped, though the journal fails at first [S6]', async () => {
  const { session, store, failing, told } = await runningEndlessly();
  failing.append = 2;
  await session.dispose();
  expect(told.toStop).toBe(true);
  const events = (await store.open().read('test', 0)).map(({ event }) => event);
  expect(events).toContainEqual(expect.objectContaining({ type: 'call.cancelled', callId: 'c' }));
});

test('an aborted batch is cancelled, though the journal fails at first [S1]', async () => {
  const { session, failing, told, abort, running } = await runningEndlessly();
  failing.append = 2;
  abort.abort();
  expect(await running).toMatchObject({ ok: true, calls: [{ status: 'cancelled' }] });
  expect(told.toStop).toBe(true);
  await session.dispose();
});

test('dispose does not wait for a broken journal forever; the next one finds the call interrupted [S6, J2]', async () => {
  const { session, store, failing, told, running } = await runningEndlessly();
  failing.append = Number.POSITIVE_INFINITY;
  await session.dispose();
  expect(told.toStop).toBe(true);
  expect(await running).toMatchObject({ ok: false, failure: { code: 'disposed' } });
  const next = await openTestSession([endless().tool], { journal: store.open() });
  const events = (await store.open().read('test', 0)).map(({ event }) => event);
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'call.failed', failure: { code: 'interrupted', attempt: 1 } }),
  );
  await next.session.dispose();
});

test('a batch that comes while the session is being left is refused, and a second dispose waits too [S6]', async () => {
  const stop = deferred();
  const slow = testTool({
    name: 'slow',
    run: () => stop.promise.then(() => ({ llmContent: '', returnDisplay: '' })),
  });
  const { session } = await openTestSession([slow]);
  const running = session.schedule([{ name: 'slow' }]);
  await until(() => session.snapshot()[0]?.status === 'executing', 'the call runs');
  const left: string[] = [];
  const both = [
    session.dispose().then(() => left.push('first')),
    session.dispose().then(() => left.push('second')),
  ];
  expect(await session.schedule([{ name: 'slow' }])).toEqual({ ok: false, failure: { code: 'disposed' } });
  await shortDelay();
  expect(left).toEqual([]);
  stop.resolve();
  await Promise.all(both);
  expect(session.openTurns).toEqual([]);
  await running;
});

test('dispose leaves no timer of a plan that is stuck, and no answer without an acknowledgement [S6]', async () => {
  // Its own count: what the runner of the tests waits for comes and goes.
  const waiting = new Set<NodeJS.Timeout>();
  const timer: StartTimer = (ms, fire) => {
    const timeout = setTimeout(() => {
      waiting.delete(timeout);
      fire();
    }, ms);
    waiting.add(timeout);
    return () => {
      waiting.delete(timeout);
      clearTimeout(timeout);
    };
  };
  let isStuck = false;
  const change = testTool({ name: 'change', kind: 'edit', plan: () => (isStuck ? forever() : {}) });
  const { session } = await openTestSession([change], { timer });
  const running = session.schedule([{ callId: 'asked', name: 'change' }]);
  await session.idle();
  const { digest } = questionOf(session, 'asked');
  isStuck = true;
  const said = session.send({
    type: 'answer',
    callId: 'asked',
    digest,
    outcome: 'proceed_once',
    payload: { args: { other: true } },
    by: 'me',
  });
  await shortDelay();
  expect(waiting.size).toBe(1);
  await session.dispose();
  expect(await said).toEqual({ ok: false, failure: { code: 'disposed' } });
  await running;
  expect(waiting.size).toBe(0);
});

test('an answer to a call whose plan got stuck is acknowledged within the limit for plans', async () => {
  let isStuck = false;
  const change = testTool({ name: 'change', kind: 'edit', plan: () => (isStuck ? forever() : {}) });
  const { session } = await openTestSession([change], { limits: { planTimeoutMs: 20 } });
  const running = run(session, [{ callId: 'c', name: 'change' }]);
  await session.idle();
  const { digest } = questionOf(session, 'c');
  isStuck = true;
  const answer = { type: 'answer', callId: 'c', digest, outcome: 'proceed_once', by: 'me' } as const;
  expect(await session.send({ ...answer, payload: { args: { other: true } } })).toMatchObject({
    ok: false,
    failure: { code: 'plan_timed_out' },
  });
  await session.send({ ...answer, outcome: 'cancel' });
  await running;
  await session.dispose();
});

test('a call that is cancelled before its first effect has none, and says so [L5]', async () => {
  let runs = 0;
  const act = testTool({
    name: 'act',
    run: () => {
      runs++;
      return { llmContent: '', returnDisplay: '' };
    },
  });
  const { session } = await openTestSession([act]);
  const [call] = await run(session, [{ name: 'act' }], { signal: AbortSignal.abort() });
  expect(call?.status).toBe('cancelled');
  expect(runs).toBe(0);
  if (call?.status === 'cancelled') expect(call.partial?.mayHaveHappened ?? false).toBe(false);
  await session.dispose();
});
