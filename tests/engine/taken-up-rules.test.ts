import { type Journal, memoryJournal, openSession, Toolbox } from '@countersign/engine';
import { compilePolicy, type Policy, type Rule } from '@countersign/kernel';
import type { Event, PolicyDecision, SessionSetup } from '@countersign/protocol';
import { openTestSession, plainPolicy, questionOf, testTool, until } from '@countersign/testkit';
import { expect, test } from 'vitest';

const SESSION = 'test';
const WRITES = [{ kind: 'fs.write', path: '/w/f', scope: 'file' }] as const;

/** Two edits of one file, of which the second waits for the first, and a list of those that ran. */
function edits(ran: string[], repeat: 'safe' | 'unsafe' = 'unsafe') {
  return testTool({
    name: 'edit',
    kind: 'edit',
    plan: () => ({ resources: WRITES, repeat }),
    run: (_, { callId }) => {
      ran.push(callId);
      return { llmContent: '', returnDisplay: '' };
    },
  });
}

const policy = (decision: PolicyDecision): Policy => compilePolicy([ruleFor(decision)], decision);

const ruleFor = (decision: PolicyDecision): Rule => ({
  ref: { name: null, tier: 'user', priority: 1, file: 'rules.toml', line: 7 },
  tools: ['edit'],
  mcpServer: null,
  args: null,
  command: null,
  annotations: null,
  decision,
  modes: null,
  interactive: null,
  subagent: null,
  allowRedirection: false,
  denyMessage: null,
});

/** The facts of two calls, cut off right before this one; the views that belong to them are not needed here. */
async function cutBefore(
  isCut: (event: Event) => boolean,
  rules: Policy,
  answers: boolean,
): Promise<Journal> {
  const first = await openTestSession([edits([])], { policy: rules });
  const batch = first.session.schedule([
    { callId: 'a', name: 'edit' },
    { callId: 'b', name: 'edit' },
  ]);
  for (const callId of answers ? ['a', 'b'] : []) {
    await until(
      () =>
        first.session
          .snapshot()
          .some((call) => call.request.callId === callId && call.status === 'awaiting_approval'),
      'it asks',
    );
    const { digest } = questionOf(first.session, callId);
    await first.session.send({ type: 'answer', callId, digest, outcome: 'proceed_once', by: 'ann' });
  }
  await batch;
  const events = (await first.journal.read(SESSION, 0)).map(({ event }) => event);
  await first.session.dispose();
  const journal = memoryJournal({ keep: 'all' });
  const owned = await journal.own(SESSION);
  if (!owned.ok) throw new Error('the session is new');
  const { token } = owned;
  const kept = events.slice(0, events.findIndex(isCut));
  const none = { views: [], claims: [], consumed: [] };
  await journal.append({ sessionId: SESSION, expectedSeq: 0, token, events: kept, ...none, sync: 'normal' });
  await journal.release(SESSION, token);
  return journal;
}

const startOf = (callId: string) => (event: Event) =>
  event.type === 'call.started' && event.callId === callId;

async function takenUp(journal: Journal, rules: Policy, ran: string[]) {
  const { session } = await openTestSession([edits(ran)], { journal, policy: rules });
  await session.idle();
  return session;
}

test('what was granted and had not started is judged again: what is denied now does not start [P5] [A6]', async () => {
  const journal = await cutBefore(startOf('a'), policy('allow'), false);
  const ran: string[] = [];
  const session = await takenUp(journal, policy('deny'), ran);
  expect(ran).toEqual([]);
  expect(session.openTurns).toEqual([]);
  const told = (await journal.read(SESSION, 0)).map(({ event }) => event);
  expect(told).toContainEqual(
    expect.objectContaining({
      ...{ type: 'call.cancelled', callId: 'a' },
      reason: expect.objectContaining({ type: 'rules_changed', rule: 'rules.toml:7' }),
    }),
  );
  await session.dispose();
});

test('what the rules ask about now is asked about before it starts, and its place is kept [P5] [S2]', async () => {
  const journal = await cutBefore(startOf('a'), policy('allow'), false);
  const ran: string[] = [];
  const session = await takenUp(journal, policy('ask_user'), ran);
  expect(ran).toEqual([]);
  expect(session.snapshot().map(({ status }) => status)).toEqual(['awaiting_approval', 'awaiting_approval']);
  expect((await journal.approvals()).map(({ callId }) => callId)).toEqual(['a', 'b']);
  const answer = (callId: string) =>
    session.send({
      ...{ type: 'answer', callId, digest: questionOf(session, callId).digest },
      ...{ outcome: 'proceed_once', by: 'ann' },
    });
  expect(await answer('b')).toMatchObject({ ok: true });
  await session.idle();
  expect(ran).toEqual([]);
  expect(await answer('a')).toMatchObject({ ok: true });
  await session.idle();
  expect(ran).toEqual(['a', 'b']);
  await session.dispose();
});

test('what a person agreed to is not asked about again, and is denied if the rules deny it now [P5] [A5]', async () => {
  const ran: string[] = [];
  const asked = await takenUp(
    await cutBefore(startOf('b'), policy('ask_user'), true),
    policy('ask_user'),
    ran,
  );
  expect(ran).toEqual(['b']);
  await asked.dispose();
  const denied = await takenUp(await cutBefore(startOf('b'), policy('ask_user'), true), policy('deny'), ran);
  expect(ran).toEqual(['b']);
  await denied.dispose();
});

test('what is safe to repeat is not repeated after a crash if the rules deny it now [P5] [J2]', async () => {
  const ran: string[] = [];
  const first = await openTestSession([edits([], 'safe')], { policy: policy('allow') });
  await first.session.schedule([{ callId: 'a', name: 'edit' }]);
  const events = (await first.journal.read(SESSION, 0)).map(({ event }) => event);
  await first.session.dispose();
  const journal = memoryJournal({ keep: 'all' });
  const owned = await journal.own(SESSION);
  if (!owned.ok) throw new Error('the session is new');
  const { token } = owned;
  const kept = events.slice(0, events.findIndex(startOf('a')) + 1);
  const none = { views: [], claims: [], consumed: [] };
  await journal.append({ sessionId: SESSION, expectedSeq: 0, token, events: kept, ...none, sync: 'normal' });
  await journal.release(SESSION, token);
  const { session } = await openTestSession([edits(ran, 'safe')], { journal, policy: policy('deny') });
  await session.idle();
  expect(ran).toEqual([]);
  const told = (await journal.read(SESSION, 0)).map(({ event }) => event);
  expect(told).toContainEqual(
    expect.objectContaining({
      ...{ type: 'call.failed', callId: 'a', partial: { output: '', mayHaveHappened: true } },
      failure: expect.objectContaining({ code: 'policy_violation' }),
    }),
  );
  await session.dispose();
});

const SETUP: SessionSetup = {
  policies: [{ path: '/rules/deny.toml', hash: 'h' }],
  tools: [],
  sandbox: 'on',
};

test('a program that lacks what a session was opened with does not take it up, and starts nothing of it [P5] [E1]', async () => {
  const journal = memoryJournal({ keep: 'all' });
  const first = await openTestSession([], { journal, setup: SETUP });
  await first.session.dispose();
  const ran: string[] = [];
  const open = (setup?: SessionSetup) =>
    openSession({
      ...{
        journal,
        sessionId: SESSION,
        workspace: '/w',
        tools: new Toolbox([edits(ran)]),
        policy: plainPolicy(),
      },
      classify: () => ({ place: 'workspace', guarded: null }),
      ...(setup && { setup }),
    });
  const before = await journal.read(SESSION, 0);
  const missing = [{ kind: 'policy', path: '/rules/deny.toml' }];
  expect(await open()).toEqual({
    ok: false,
    failure: { code: 'session_setup', sessionId: SESSION, missing },
  });
  expect(await open({ ...SETUP, sandbox: 'off' })).toMatchObject({ ok: false });
  expect(await journal.read(SESSION, 0)).toEqual(before);
  const more = { ...SETUP, policies: [...SETUP.policies, { path: '/rules/more.toml', hash: 'h' }] };
  const opened = await open({ ...more, sandbox: 'required' });
  expect(opened).toMatchObject({ ok: true });
  if (opened.ok) await opened.session.dispose();
  expect(await open(SETUP)).toMatchObject({ ok: false });
});
