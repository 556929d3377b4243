import { type Journal, memoryJournal } from '@countersign/engine';
import type { Event } from '@countersign/protocol';
import { openTestSession, testTool, until } from '@countersign/testkit';
import { expect, test } from 'vitest';

const SESSION = 'test';

/** A journal with these facts, left behind by a process that is gone. */
async function leftBehind(events: readonly Event[]): Promise<Journal> {
  const journal = memoryJournal({ keep: 'all' });
  const owned = await journal.own(SESSION);
  if (!owned.ok) throw new Error('the session is new');
  const { token } = owned;
  const none = { views: [], claims: [], consumed: [] };
  await journal.append({
    sessionId: SESSION,
    expectedSeq: 0,
    token,
    events,
    ...none,
    sync: 'normal',
  });
  await journal.release(SESSION, token);
  return journal;
}

/** The facts of a session whose only call has started and not ended. */
async function factsUpToTheStart(repeat: 'safe' | 'unsafe'): Promise<readonly Event[]> {
  const stuck = testTool({
    name: 'act',
    plan: () => ({ repeat }),
    run: async (_, { signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return { llmContent: '', returnDisplay: '' };
    },
  });
  const { session, journal } = await openTestSession([stuck]);
  const ended = session.schedule([{ callId: 'a', name: 'act' }]);
  await until(() => session.snapshot()[0]?.status === 'executing', 'the call starts');
  const recorded = await journal.read(SESSION, 0);
  await session.dispose();
  await ended;
  return recorded.map(({ event }) => event);
}

/** Take up what the facts tell of, and see how often the call ran and what became of it. */
async function takeUp(events: readonly Event[]): Promise<{ attempts: number[]; last: Event | undefined }> {
  const attempts: number[] = [];
  const act = testTool({
    name: 'act',
    run: (_, { attempt }) => {
      attempts.push(attempt);
      return { llmContent: 'done', returnDisplay: '' };
    },
  });
  const { session, journal } = await openTestSession([act], { journal: await leftBehind(events) });
  await session.idle();
  await session.dispose();
  const told = (await journal.read(SESSION, 0)).map(({ event }) => event);
  return { attempts, last: told.findLast(({ type }) => type.startsWith('call.')) };
}

test('a call that was running when its process died is not run again by the next one [J2]', async () => {
  const { attempts, last } = await takeUp(await factsUpToTheStart('unsafe'));
  expect(attempts).toEqual([]);
  expect(last).toMatchObject({
    type: 'call.failed',
    failure: { code: 'interrupted', attempt: 1 },
    partial: { mayHaveHappened: true },
  });
});

test('a call that is safe to repeat runs once more, as its second attempt [J2]', async () => {
  const { attempts, last } = await takeUp(await factsUpToTheStart('safe'));
  expect(attempts).toEqual([2]);
  expect(last).toMatchObject({ type: 'call.succeeded' });
});
