import { type Journal, memoryJournal, type ResumeContext, type Tool } from '@countersign/engine';
import type { Event, Plan } from '@countersign/protocol';
import { deferred, openTestSession, questionOf, testTool, until } from '@countersign/testkit';
import { expect, test } from 'vitest';

const SESSION = 'test';

/** A journal with these facts, left behind by a process that is gone. */
async function leftBehind(
  events: readonly Event[],
  views: Parameters<Journal['append']>[0]['views'] = [],
): Promise<Journal> {
  const journal = memoryJournal({ keep: 'all' });
  const owned = await journal.own(SESSION);
  if (!owned.ok) throw new Error('the session is new');
  const { token } = owned;
  const none = { views, claims: [], consumed: [] };
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
async function factsUpToTheStart(repeat: Plan['repeat']): Promise<readonly Event[]> {
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
async function takeUp(
  events: readonly Event[],
  parts: Partial<Tool> = {},
): Promise<{ attempts: number[]; last: Event | undefined }> {
  const attempts: number[] = [];
  const act = testTool({
    name: 'act',
    ...parts,
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

test('a call that can be found again is resumed where it is, and its end is reported once [X5]', async () => {
  const begun = await factsUpToTheStart('resumable');
  const started = begun.find(({ type }) => type === 'call.started');
  const contexts: ResumeContext[] = [];
  const resume = (_: unknown, context: ResumeContext) => {
    contexts.push(context);
    return { llmContent: 'found again', returnDisplay: '' };
  };
  const { attempts, last } = await takeUp(begun, { resume });
  expect(attempts).toEqual([]);
  expect(last).toMatchObject({ type: 'call.succeeded', result: { llmContent: 'found again' } });
  expect(contexts).toHaveLength(1);
  expect(contexts[0]).toMatchObject({ attempt: 1, startedAt: started && 'at' in started && started.at });
  expect(contexts[0]?.directory).toMatch(/\/test\/1-0$/);
});

test('if its tool can no longer look for it, it is called interrupted, and not begun again [X5]', async () => {
  const { attempts, last } = await takeUp(await factsUpToTheStart('resumable'));
  expect(attempts).toEqual([]);
  expect(last).toMatchObject({ type: 'call.failed', failure: { code: 'interrupted' } });
});

test('what was being cancelled when the process died is still cancelled after it is resumed [X5, L5]', async () => {
  const begun = await factsUpToTheStart('resumable');
  const reason = { type: 'aborted', by: 'ann' } as const;
  const events = [...begun, { type: 'call.aborting', callId: 'a', reason, at: 2 } as const];
  const resume = async (_: unknown, { signal }: ResumeContext) => {
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return { llmContent: 'half of it', returnDisplay: '' };
  };
  const { last } = await takeUp(events, { resume });
  expect(last).toMatchObject({ type: 'call.cancelled', reason, partial: { output: 'half of it' } });
});

test('a call that was resumed keeps its place: what conflicts with it waits [X5, S2]', async () => {
  const journal = await leftBehind(await factsUpToTheStart('resumable'));
  const ended = deferred();
  const act = testTool({
    name: 'act',
    resume: async () => {
      await ended.promise;
      return { llmContent: '', returnDisplay: '' };
    },
  });
  const { session } = await openTestSession([act], { journal });
  expect(session.snapshot()).toMatchObject([{ status: 'executing', attempt: 1, epoch: 1 }]);
  const next = session.schedule([{ callId: 'b', name: 'act' }]);
  await until(() => session.snapshot().length === 2, 'the next call is there');
  expect(session.snapshot()[1]?.status).toBe('validating');
  ended.resolve();
  expect(await next).toMatchObject({ ok: true, calls: [{ status: 'success' }] });
  await session.dispose();
});

test('a grant that was revoked while no one had the session starts nothing when it is resumed [P6]', async () => {
  const hold = deferred();
  const resources = [{ kind: 'fs.write', path: '/w/f', scope: 'file' }] as const;
  const parts = { name: 'edit', kind: 'edit', plan: () => ({ resources, confirmation: EDIT }) } as const;
  const slow = testTool({
    ...parts,
    run: () => hold.promise.then(() => ({ llmContent: '', returnDisplay: '' })),
  });
  const first = await openTestSession([slow]);
  void first.session.schedule([{ callId: 'a', name: 'edit' }]);
  await until(() => first.session.snapshot()[0]?.status === 'awaiting_approval', 'it asks');
  const { digest } = questionOf(first.session, 'a');
  const always = { type: 'answer', callId: 'a', digest, outcome: 'proceed_always', by: 'ann' } as const;
  expect(await first.session.send(always)).toMatchObject({ ok: true });
  void first.session.schedule([
    { callId: 'b', name: 'edit' },
    { callId: 'c', name: 'edit' },
  ]);
  const recorded = async () => (await first.journal.read(SESSION, 0)).map(({ event }) => event);
  // As if its process had died with the second call let through by the grant and not started.
  hold.resolve();
  await until(() => first.session.snapshot().length === 0, 'all is over');
  const events = await recorded();
  await first.session.dispose();
  const cut = events.findIndex((event) => event.type === 'call.started' && event.callId === 'b');
  const grant = events.find((event) => event.type === 'grant.added');
  if (grant?.type !== 'grant.added') throw new Error('nothing was granted');
  const { id } = grant.grant;
  const revoked: Event = { type: 'grant.revoked', grantId: id, by: 'bob', at: 9 };
  const views = [
    { type: 'grant.added', grant: grant.grant },
    { type: 'grant.revoked', grantId: id },
  ] as const;
  const journal = await leftBehind([...events.slice(0, cut), revoked], views);

  const ran: string[] = [];
  const tool = testTool({
    ...parts,
    run: (_, { callId }) => {
      ran.push(callId);
      return { llmContent: '', returnDisplay: '' };
    },
  });
  const second = await openTestSession([tool], { journal });
  await second.session.idle();
  expect(ran).toEqual([]);
  const told = (await journal.read(SESSION, 0)).map(({ event }) => event);
  expect(told).toContainEqual(
    expect.objectContaining({
      type: 'call.cancelled',
      callId: 'b',
      reason: { type: 'grant_revoked', grantId: id },
    }),
  );
  await second.session.dispose();
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
