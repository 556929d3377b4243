import type { Delivery, Event } from '@countersign/protocol';
import { deferred, openTestSession, questionOf, run, testTool, until } from '@countersign/testkit';
import { expect, test } from 'vitest';

async function collect(
  source: AsyncIterable<readonly Delivery[]>,
  into: { seq: number; event: Event }[],
  each?: () => Promise<void> | void,
) {
  for await (const batch of source) {
    for (const delivery of batch) if ('event' in delivery) into.push(delivery);
    await each?.();
  }
}

test('a late subscriber sees the backlog first, then live, with no gap and no repeat [S5]', async () => {
  const { session } = await openTestSession([testTool({ name: 'tool' })]);
  const early: { seq: number; event: Event }[] = [];
  const late: { seq: number; event: Event }[] = [];
  const middle: { seq: number; event: Event }[] = [];
  const following = [collect(session.events(0, new AbortController().signal), early)];
  for (let n = 0; n < 30; n++) {
    if (n === 10) following.push(collect(session.events(0, new AbortController().signal), late));
    if (n === 20) following.push(collect(session.events(7, new AbortController().signal), middle));
    await run(session, [{ name: 'tool' }, { name: 'tool' }]);
  }
  await session.dispose();
  await Promise.all(following);
  expect(early.map(({ seq }) => seq)).toEqual(Array.from({ length: session.seq }, (_, seq) => seq));
  expect(late).toEqual(early);
  expect(middle).toEqual(early.slice(7));
});

test('slow and throwing subscribers cost the session nothing and the others miss nothing [S5]', async () => {
  const { session } = await openTestSession([testTool({ name: 'tool' })]);
  const all: { seq: number; event: Event }[] = [];
  const slow: { seq: number; event: Event }[] = [];
  const throwing = collect(session.events(0, new AbortController().signal), [], () => {
    throw new Error('a careless subscriber');
  });
  const gate = deferred();
  const following = [
    collect(session.events(0, new AbortController().signal), all),
    collect(session.events(0, new AbortController().signal), slow, () => gate.promise),
  ];
  await expect(throwing).rejects.toThrow('careless');
  const calls = await run(
    session,
    Array.from({ length: 3_000 }, () => ({ name: 'tool' })),
  );
  expect(calls.every(({ status }) => status === 'success')).toBe(true);
  gate.resolve();
  await session.dispose();
  await Promise.all(following);
  expect(all).toHaveLength(session.seq);
  expect(slow).toEqual(all);
});

test('an answer given in the same tick as the question is received', async () => {
  const { session } = await openTestSession([testTool({ name: 'change', kind: 'edit' })]);
  const abort = new AbortController();
  const acks: unknown[] = [];
  const answering = (async () => {
    for await (const batch of session.events(0, abort.signal)) {
      for (const delivery of batch) {
        if (!('event' in delivery) || delivery.event.type !== 'call.asked') continue;
        const { callId, question } = delivery.event;
        acks.push(
          await session.send({
            type: 'answer',
            callId,
            digest: question.digest,
            outcome: 'proceed_once',
            by: 'me',
          }),
        );
      }
    }
  })();
  const calls = await run(
    session,
    Array.from({ length: 20 }, () => ({ name: 'change' })),
  );
  expect(calls.every(({ status }) => status === 'success')).toBe(true);
  expect(acks).toHaveLength(20);
  abort.abort();
  await answering;
  await session.dispose();
});

test('live output shows the latest of each call, between the facts, and costs nothing when no one looks [S5]', async () => {
  const gate = deferred();
  const tool = testTool({
    name: 'tool',
    run: async (_, { updateOutput, progress }) => {
      for (let n = 0; n <= 1_000; n++) updateOutput(`line ${n}`);
      progress(3, 4, 'nearly');
      await gate.promise;
      return { llmContent: '', returnDisplay: '' };
    },
  });
  const { session } = await openTestSession([tool]);
  const shown: unknown[] = [];
  const abort = new AbortController();
  const following = (async () => {
    for await (const batch of session.events(session.seq, abort.signal)) {
      for (const delivery of batch) if ('live' in delivery) shown.push(delivery.live);
    }
  })();
  const running = run(session, [
    { callId: 'a', name: 'tool' },
    { callId: 'b', name: 'tool' },
  ]);
  await until(() => shown.length >= 2, 'live output');
  gate.resolve();
  await running;
  abort.abort();
  await following;
  expect(shown).toEqual(
    ['a', 'b'].map((callId) => ({
      callId,
      output: 'line 1000',
      progress: { done: 3, total: 4, message: 'nearly' },
    })),
  );
  await session.dispose();
});

test('every fact of a call is in the journal, in order, before the tool runs [J1]', async () => {
  const seen: string[][] = [];
  const { session, journal } = await openTestSession([
    testTool({
      name: 'change',
      kind: 'edit',
      run: async () => {
        seen.push((await journal.read('test', 0)).map(({ event }) => event.type));
        return { llmContent: '', returnDisplay: '' };
      },
    }),
  ]);
  const running = run(session, [{ callId: 'c', name: 'change' }]);
  await session.idle();
  await session.send({
    type: 'answer',
    callId: 'c',
    digest: questionOf(session, 'c').digest,
    outcome: 'proceed_once',
    by: 'me',
  });
  await running;
  const before = [
    'session.opened',
    'policy.loaded',
    'turn.started',
    'call.requested',
    'turn.sealed',
    'call.planned',
    'call.asked',
    'call.answered',
    'call.granted',
    'call.started',
  ];
  expect(seen).toEqual([before]);
  expect((await journal.read('test', 0)).map(({ event }) => event.type)).toEqual([
    ...before,
    'call.succeeded',
    'turn.ended',
  ]);
  await session.dispose();
});
