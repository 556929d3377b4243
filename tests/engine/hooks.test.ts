import {
  type AfterReport,
  type BeforeReport,
  type CallHooks,
  type HookedCall,
  type Journal,
  memoryStore,
} from '@countersign/engine';
import type { Event, HookAdvice, HookNote, JsonObject, ToolOutcome } from '@countersign/protocol';
import { openTestSession, questionOf, run, testTool, until } from '@countersign/testkit';
import { expect, test } from 'vitest';

const note = (said: HookNote['said']): HookNote => ({
  hook: 'guard',
  source: 'settings.json hooks.BeforeTool[0].hooks[0]',
  said,
  reason: null,
  durationMs: 1,
});

/** Hooks that say what a test wants said; what they were told is kept. */
function hooksSaying(says: {
  readonly before?: (call: HookedCall) => Partial<BeforeReport>;
  readonly after?: (
    call: HookedCall,
    outcome: ToolOutcome,
  ) => Partial<AfterReport> | Promise<Partial<AfterReport>>;
  readonly listens?: (name: string) => boolean;
}): CallHooks & { readonly told: string[] } {
  const told: string[] = [];
  return {
    told,
    before: (call) => {
      if (!says.before) return null;
      told.push(`before ${call.request.name} ${JSON.stringify(call.request.args)}`);
      return Promise.resolve({ advice: null, args: null, notes: [note('nothing')], ...says.before(call) });
    },
    listensAfter: ({ name }) => says.after !== undefined && (says.listens?.(name) ?? true),
    after: async (call, outcome) => {
      told.push(`after ${call.request.name} ${outcome.ok ? 'ok' : outcome.failure.code}`);
      return {
        outcome: null,
        tailCall: null,
        notes: [note('nothing')],
        ...(await says.after?.(call, outcome)),
      };
    },
    leave: () => Promise.resolve(),
  };
}

const advise = (decision: HookAdvice['decision']) => () => ({
  advice: { decision, by: 'guard', reason: `Hook "guard" says ${decision}.` } as const,
  notes: [note(decision)],
});

const change = (ran: string[] = []) =>
  testTool({
    name: 'change',
    kind: 'edit',
    run: (args) => {
      ran.push(JSON.stringify(args));
      return { llmContent: 'changed', returnDisplay: 'changed' };
    },
  });
const look = testTool({ name: 'look' });

const eventsOf = async (journal: Journal): Promise<readonly Event[]> =>
  (await journal.read('test', 0)).map(({ event }) => event);

test('a hook that denies ends the call, says why, and is on record [H2]', async () => {
  const hooks = hooksSaying({ before: advise('deny') });
  const { session, journal } = await openTestSession([look], { hooks });
  const [call] = await run(session, [{ callId: 'a', name: 'look' }]);
  expect(call).toMatchObject({
    status: 'error',
    failure: { code: 'hook_denied', hook: 'guard', reason: 'Hook "guard" says deny.' },
  });
  const hooked = (await eventsOf(journal)).filter(({ type }) => type === 'call.hooked');
  expect(hooked).toMatchObject([{ when: 'before', notes: [{ hook: 'guard', said: 'deny' }] }]);
  await session.dispose();
});

test('a hook may allow what policy only asks about, and the permit says that it did [H2]', async () => {
  const ran: string[] = [];
  const { session } = await openTestSession([change(ran)], {
    hooks: hooksSaying({ before: advise('allow') }),
  });
  const [call] = await run(session, [{ callId: 'a', name: 'change' }]);
  expect(call).toMatchObject({ status: 'success', permit: { by: { type: 'hook', hook: 'guard' } } });
  expect(ran).toHaveLength(1);
  await session.dispose();
});

test('in confirm_always mode a hook allows nothing [P1, H2]', async () => {
  const { session } = await openTestSession([change()], {
    hooks: hooksSaying({ before: advise('allow') }),
    mode: 'confirm_always',
  });
  const running = run(session, [{ callId: 'a', name: 'change' }]);
  await session.idle();
  expect(session.snapshot()).toMatchObject([{ status: 'awaiting_approval' }]);
  await session.send({ type: 'cancel', target: { type: 'all' }, by: 'me' });
  await running;
  await session.dispose();
});

test('what policy denies no hook learns of, and none allows [H2]', async () => {
  const hooks = hooksSaying({ before: advise('allow') });
  const { session } = await openTestSession([change()], { hooks, mode: 'plan' });
  const [call] = await run(session, [{ callId: 'a', name: 'change' }]);
  expect(call).toMatchObject({ status: 'error', failure: { code: 'policy_violation' } });
  expect(hooks.told).toEqual([]);
  await session.dispose();
});

test('a hook that asks is respected where policy would allow, with no lasting answer on offer [H2]', async () => {
  const { session } = await openTestSession([look], { hooks: hooksSaying({ before: advise('ask') }) });
  const running = run(session, [{ callId: 'a', name: 'look' }]);
  await session.idle();
  const question = questionOf(session, 'a');
  expect(question.offers.map(({ outcome }) => outcome)).toEqual(['proceed_once', 'cancel']);
  expect(session.snapshot()).toMatchObject([
    { verdict: { because: 'hook', reason: 'Hook "guard" says ask.' } },
  ]);
  await session.send({
    type: 'answer',
    callId: 'a',
    digest: question.digest,
    outcome: 'proceed_once',
    by: 'me',
  });
  expect(await running).toMatchObject([{ status: 'success', permit: { by: { type: 'person' } } }]);
  await session.dispose();
});

test('where no user is attached, a hook that asks is a refusal that says so [A8, H2]', async () => {
  const { session } = await openTestSession([look], { hooks: hooksSaying({ before: advise('ask') }) });
  const [call] = await run(session, [{ callId: 'a', name: 'look' }], { attended: 'nobody' });
  expect(call).toMatchObject({ status: 'error', failure: { code: 'nobody_to_ask' } });
  await session.dispose();
});

test('where no user is attached, a hook may speak for them [H2]', async () => {
  const { session } = await openTestSession([change()], { hooks: hooksSaying({ before: advise('allow') }) });
  const [call] = await run(session, [{ callId: 'a', name: 'change' }], { attended: 'nobody' });
  expect(call).toMatchObject({ status: 'success', permit: { by: { type: 'hook' } } });
  await session.dispose();
});

const rewriteTo = (args: JsonObject) =>
  hooksSaying({ before: ({ request }) => (request.revision === 0 ? { args } : {}) });

test('what a hook rewrites is checked, planned and run as rewritten, and the call knows [H2]', async () => {
  const ran: string[] = [];
  const { session } = await openTestSession([change(ran)], { hooks: rewriteTo({ to: 'b' }), mode: 'yolo' });
  const [call] = await run(session, [{ callId: 'a', name: 'change', args: { to: 'a' } }]);
  expect(call).toMatchObject({
    status: 'success',
    request: { args: { to: 'b' }, revision: 1, changedBy: 'hook guard' },
  });
  expect(ran).toEqual(['{"to":"b"}']);
  await session.dispose();
});

test('a rewritten call that its tool does not take fails as the model would have failed with it [H2]', async () => {
  const picky = testTool({
    name: 'picky',
    check: (args) => ('to' in args ? { ok: true, args } : { ok: false, problems: ['"to" is missing'] }),
  });
  const { session } = await openTestSession([picky], { hooks: rewriteTo({}) });
  const [call] = await run(session, [{ callId: 'a', name: 'picky', args: { to: 'a' } }]);
  expect(call).toMatchObject({ status: 'error', failure: { code: 'invalid_tool_params' } });
  await session.dispose();
});

test('what a person sends instead is shown to hooks, too: a deny stops it [A4, H2]', async () => {
  const ran: string[] = [];
  const hooks = hooksSaying({
    before: ({ request }) => (request.args['to'] === 'secret' ? advise('deny')() : {}),
  });
  const { session } = await openTestSession([change(ran)], { hooks });
  const running = run(session, [{ callId: 'a', name: 'change', args: { to: 'a' } }]);
  await session.idle();
  const { digest } = questionOf(session, 'a');
  const answer = { type: 'answer', callId: 'a', digest, outcome: 'proceed_once', by: 'me' } as const;
  expect(await session.send({ ...answer, payload: { args: { to: 'secret' } } })).toMatchObject({
    ok: false,
    failure: { code: 'hook_denied' },
  });
  expect(await running).toMatchObject([{ status: 'error', failure: { code: 'hook_denied' } }]);
  expect(ran).toEqual([]);
  await session.dispose();
});

test('a hook that changes what a person sent makes a new question of it: nothing runs unseen [A3, H2]', async () => {
  const ran: string[] = [];
  const hooks = hooksSaying({
    before: ({ request }) => (request.args['to'] === 'mine' ? { args: { to: 'theirs' } } : {}),
  });
  const { session } = await openTestSession([change(ran)], { hooks });
  const running = run(session, [{ callId: 'a', name: 'change', args: { to: 'a' } }]);
  await session.idle();
  const answer = { type: 'answer', callId: 'a', outcome: 'proceed_once', by: 'me' } as const;
  const first = questionOf(session, 'a').digest;
  expect(await session.send({ ...answer, digest: first, payload: { args: { to: 'mine' } } })).toMatchObject({
    ok: false,
    failure: { code: 'question_changed' },
  });
  await session.idle();
  expect(session.snapshot()).toMatchObject([
    { status: 'awaiting_approval', request: { args: { to: 'theirs' } } },
  ]);
  expect(ran).toEqual([]);
  await session.send({ ...answer, digest: questionOf(session, 'a').digest });
  expect(await running).toMatchObject([{ status: 'success' }]);
  expect(ran).toEqual(['{"to":"theirs"}']);
  await session.dispose();
});

test('AfterTool hooks see the outcome before the call ends, and may replace it [H2, L1]', async () => {
  const hooks = hooksSaying({
    after: () => ({ outcome: { ok: true, result: { llmContent: 'other', returnDisplay: 'other' } } }),
  });
  const { session, journal } = await openTestSession([look], { hooks });
  const [call] = await run(session, [{ callId: 'a', name: 'look' }]);
  expect(call).toMatchObject({ status: 'success', result: { llmContent: 'other' } });
  const types = (await eventsOf(journal)).map(({ type }) => type);
  expect(types.slice(types.indexOf('call.started'))).toEqual([
    'call.started',
    'call.finished',
    'call.hooked',
    'call.succeeded',
    'turn.ended',
  ]);
  await session.dispose();
});

test('a failed call is shown to AfterTool hooks as failed [H2]', async () => {
  const fails = testTool({
    name: 'fails',
    run: () => {
      throw new Error('no');
    },
  });
  const hooks = hooksSaying({ after: () => ({}) });
  const { session } = await openTestSession([fails], { hooks });
  await run(session, [{ callId: 'a', name: 'fails' }]);
  expect(hooks.told).toEqual(['after fails unhandled_exception']);
  await session.dispose();
});

test('a follow-up is judged like any call, and its result takes the place of the first [H2]', async () => {
  const ran: string[] = [];
  const hooks = hooksSaying({
    listens: (name) => name === 'look',
    after: () => ({ tailCall: { name: 'change', args: { to: 'after' } } }),
  });
  const { session } = await openTestSession([look, change(ran), testTool({ name: 'other' })], { hooks });
  const running = run(session, [
    { callId: 'a', name: 'look' },
    { callId: 'b', name: 'other' },
  ]);
  await session.idle();
  const [waiting] = session.snapshot().filter(({ status }) => status === 'awaiting_approval');
  expect(waiting).toMatchObject({
    request: { name: 'change', wireId: 'a', followUp: { callId: 'a', name: 'look', depth: 1 } },
  });
  const callId = waiting?.request.callId ?? '';
  const { digest } = questionOf(session, callId);
  await session.send({ type: 'answer', callId, digest, outcome: 'proceed_once', by: 'me' });
  const calls = await running;
  expect(calls.map(({ request }) => request.name)).toEqual(['change', 'other']);
  expect(calls).toMatchObject([{ status: 'success', request: { wireId: 'a' } }, { status: 'success' }]);
  expect(ran).toEqual(['{"to":"after"}']);
  await session.dispose();
});

test('a hook that follows up on everything ends [H2]', async () => {
  const hooks = hooksSaying({ after: () => ({ tailCall: { name: 'look', args: {} } }) });
  const { session } = await openTestSession([look], { hooks });
  const calls = await run(session, [{ callId: 'a', name: 'look' }]);
  expect(calls).toHaveLength(1);
  expect(hooks.told).toHaveLength(6);
  await session.dispose();
});

test('a follow-up that is no tool fails in its place [H2, L3]', async () => {
  const hooks = hooksSaying({
    listens: (name) => name === 'look',
    after: () => ({ tailCall: { name: 'nope', args: {} } }),
  });
  const { session } = await openTestSession([look], { hooks });
  const calls = await run(session, [{ callId: 'a', name: 'look' }]);
  expect(calls).toMatchObject([{ status: 'error', failure: { code: 'tool_not_registered', name: 'nope' } }]);
  await session.dispose();
});

test('cancelling while AfterTool hooks look ends them, and the call as cancelled [L5, H2]', async () => {
  let aborted = false;
  const hooks = hooksSaying({
    after: ({ signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          aborted = true;
          resolve({});
        });
      }),
  });
  const { session } = await openTestSession([look], { hooks });
  const running = run(session, [{ callId: 'a', name: 'look' }]);
  await until(() => hooks.told.length > 0, 'hooks look');
  await session.send({ type: 'cancel', target: { type: 'all' }, by: 'me' });
  expect(await running).toMatchObject([{ status: 'cancelled', partial: { mayHaveHappened: true } }]);
  expect(aborted).toBe(true);
  await session.dispose();
});

test('after a crash hooks look again at the result of a tool, and the tool is not run again [J2, H2]', async () => {
  const ran: string[] = [];
  const store = memoryStore({ keep: 'all' });
  const stuck = hooksSaying({ after: () => new Promise(() => {}) });
  const before = await openTestSession([change(ran)], {
    hooks: stuck,
    journal: store.open(),
    mode: 'yolo',
  });
  void run(before.session, [{ callId: 'a', name: 'change' }]).catch(() => undefined);
  await until(() => stuck.told.length > 0, 'hooks look');
  await before.journal.close();

  const hooks = hooksSaying({ after: () => ({}) });
  const { session } = await openTestSession([change(ran)], { hooks, journal: store.open() });
  const [turn = 0] = session.openTurns;
  expect(await session.turnEnded(turn)).toMatchObject({ ok: true, calls: [{ status: 'success' }] });
  expect(hooks.told).toEqual(['after change ok']);
  expect(ran).toHaveLength(1);
  await session.dispose();
});
