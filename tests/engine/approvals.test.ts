import { memoryStore, Toolbox } from '@countersign/engine';
import { type Ack, type AnswerPayload, explain, type Outcome } from '@countersign/protocol';
import { openTestSession, questionOf, run, type TestSession, testTool } from '@countersign/testkit';
import { expect, test } from 'vitest';
import { switchable } from './switchable-policy.js';

const edit = (ran: string[] = [], parts: Partial<Parameters<typeof testTool>[0]> = {}) =>
  testTool({
    name: 'change',
    kind: 'edit',
    plan: ({ path = '/w/a' }) => ({ resources: [{ kind: 'fs.write', path: String(path), scope: 'file' }] }),
    run: (args, { callId }) => {
      ran.push(`${callId} ${JSON.stringify(args)}`);
      return { llmContent: '', returnDisplay: '' };
    },
    ...parts,
  });

const answer = (
  { session }: TestSession,
  callId: string,
  outcome: Outcome,
  rest: {
    readonly digest?: string;
    readonly by?: string;
    readonly key?: string;
    readonly payload?: AnswerPayload;
  } = {},
): Promise<Ack> => {
  const { digest = questionOf(session, callId).digest, by = 'me', ...more } = rest;
  return session.send({ type: 'answer', callId, digest, outcome, by, ...more });
};

const codeOf = (ack: Ack) => (ack.ok ? 'ok' : ack.failure.code);

test('the first answer wins; another one learns who answered and when, the same one again is acknowledged [A5]', async () => {
  const ran: string[] = [];
  const world = await openTestSession([edit(ran), testTool({ name: 'other', kind: 'edit' })], {
    now: () => 1_700_000_000_000,
  });
  const running = run(world.session, [
    { callId: 'c', name: 'change' },
    { callId: 'o', name: 'other' },
  ]);
  await world.session.idle();
  const { digest } = questionOf(world.session, 'c');
  const [alice, bob, again] = await Promise.all([
    answer(world, 'c', 'proceed_once', { by: 'alice' }),
    answer(world, 'c', 'cancel', { by: 'bob' }),
    answer(world, 'c', 'proceed_once', { by: 'alice' }),
  ]);
  expect(codeOf(alice)).toBe('ok');
  expect(bob.ok ? '' : explain(bob.failure).message).toBe(
    'Already answered by alice at 2023-11-14T22:13:20.000Z with "proceed_once". Not applied: the outcome "cancel".',
  );
  expect(again).toMatchObject({ ok: true, repeated: true });
  await answer(world, 'o', 'cancel');
  await running;
  expect(ran).toHaveLength(1);

  const late = await answer(world, 'c', 'cancel', { digest, by: 'carol' });
  expect(late).toMatchObject({ ok: false, failure: { code: 'already_answered', by: 'alice' } });
  expect(await answer(world, 'c', 'proceed_once', { digest, by: 'alice' })).toMatchObject({
    ok: true,
    repeated: true,
  });
  await world.session.dispose();
});

test('a key names an answer: the same key is the same answer, another key is another one [A5]', async () => {
  const world = await openTestSession([edit(), testTool({ name: 'other', kind: 'edit' })]);
  const running = run(world.session, [
    { callId: 'c', name: 'change' },
    { callId: 'o', name: 'other' },
  ]);
  await world.session.idle();
  const { digest } = questionOf(world.session, 'c');
  expect(codeOf(await answer(world, 'c', 'proceed_once', { key: 'k1', digest }))).toBe('ok');
  expect(await answer(world, 'c', 'proceed_once', { key: 'k1', digest })).toMatchObject({
    ok: true,
    repeated: true,
  });
  expect(codeOf(await answer(world, 'c', 'proceed_once', { key: 'k2', digest }))).toBe('already_answered');
  await answer(world, 'o', 'cancel');
  await running;
  await world.session.dispose();
});

test('an unknown call, another digest and an outcome not on offer are refused, and the question still waits [A3]', async () => {
  const ran: string[] = [];
  const world = await openTestSession([edit(ran)]);
  const running = run(world.session, [{ callId: 'c', name: 'change' }]);
  await world.session.idle();
  expect(codeOf(await answer(world, 'nobody', 'proceed_once', { digest: 'x' }))).toBe('unknown_call');
  expect(codeOf(await answer(world, 'c', 'proceed_once', { digest: 'x' }))).toBe('question_changed');
  expect(codeOf(await answer(world, 'c', 'proceed_always_server'))).toBe('outcome_not_offered');
  expect(ran).toEqual([]);
  expect(codeOf(await answer(world, 'c', 'proceed_once'))).toBe('ok');
  await running;
  expect(ran).toHaveLength(1);
  await world.session.dispose();
});

test('a declined call is not run, and the model learns why [L5]', async () => {
  const ran: string[] = [];
  const world = await openTestSession([edit(ran)]);
  const running = run(world.session, [{ callId: 'c', name: 'change' }]);
  await world.session.idle();
  await answer(world, 'c', 'cancel', { payload: { feedback: 'wrong file' } });
  const [call] = await running;
  expect(call).toMatchObject({
    status: 'cancelled',
    reason: { type: 'declined', by: 'me', feedback: 'wrong file' },
  });
  expect(ran).toEqual([]);
  await world.session.dispose();
});

test('if what would happen changed since it was shown, the answer is refused and the new question is asked [A3]', async () => {
  let content = 'one';
  const ran: string[] = [];
  const basis = () => ({
    resources: [{ kind: 'fs.write' as const, path: '/w/a', scope: 'file' as const }],
    basis: [{ path: '/w/a', before: content, after: null }],
  });
  const world = await openTestSession([edit(ran, { plan: basis })]);
  const running = run(world.session, [{ callId: 'c', name: 'change' }]);
  await world.session.idle();
  const shown = questionOf(world.session, 'c').digest;
  content = 'two';
  expect(codeOf(await answer(world, 'c', 'proceed_once', { digest: shown }))).toBe('question_changed');
  expect(ran).toEqual([]);
  const anew = questionOf(world.session, 'c').digest;
  expect(anew).not.toBe(shown);
  expect(codeOf(await answer(world, 'c', 'proceed_once', { digest: anew }))).toBe('ok');
  await running;
  expect(ran).toHaveLength(1);
  await world.session.dispose();
});

test('a tool whose definition changed since the question was shown asks again [A3]', async () => {
  const ran: string[] = [];
  const tools = new Toolbox([edit(ran)]);
  const world = await openTestSession([], { tools });
  const running = run(world.session, [{ callId: 'c', name: 'change' }]);
  await world.session.idle();
  const shown = questionOf(world.session, 'c').digest;
  tools.register(edit(ran, { description: 'Does something else entirely.' }));
  expect(codeOf(await answer(world, 'c', 'proceed_once', { digest: shown }))).toBe('question_changed');
  await answer(world, 'c', 'cancel');
  await running;
  await world.session.dispose();
});

test('a rule that came meanwhile has the last word over an answer [A3]', async () => {
  const ran: string[] = [];
  let forbidden = false;
  const { policy } = switchable(() => forbidden);
  const world = await openTestSession([edit(ran)], { policy });
  const running = run(world.session, [{ callId: 'c', name: 'change' }]);
  await world.session.idle();
  forbidden = true;
  expect(codeOf(await answer(world, 'c', 'proceed_once'))).toBe('policy_violation');
  expect((await running)[0]).toMatchObject({ status: 'error', failure: { code: 'policy_violation' } });
  expect(ran).toEqual([]);
  await world.session.dispose();
});

test('an answer with other arguments is consent to exactly those, within what was shown [A3]', async () => {
  const ran: string[] = [];
  const world = await openTestSession([edit(ran)]);
  const running = run(world.session, [{ callId: 'c', name: 'change', args: { path: '/w/a', n: 1 } }]);
  await world.session.idle();
  const elsewhere = await answer(world, 'c', 'proceed_once', { payload: { args: { path: '/w/b', n: 2 } } });
  expect(elsewhere).toMatchObject({ ok: false, failure: { code: 'path_not_shown', paths: ['/w/b'] } });
  expect(codeOf(await answer(world, 'c', 'proceed_once', { payload: { newContent: 'x' } }))).toBe(
    'invalid_answer',
  );
  expect(
    codeOf(await answer(world, 'c', 'proceed_once', { payload: { args: { path: '/w/a', n: 2 } } })),
  ).toBe('ok');
  const [call] = await running;
  expect(ran).toEqual(['c {"path":"/w/a","n":2}']);
  expect(call?.request).toMatchObject({ revision: 1, args: { n: 2 } });
  await world.session.dispose();
});

test('arguments can be replaced and asked about again; meanwhile no answer counts [L1]', async () => {
  const ran: string[] = [];
  const world = await openTestSession([edit(ran)]);
  const running = run(world.session, [{ callId: 'c', name: 'change', args: { n: 1 } }]);
  await world.session.idle();
  const before = questionOf(world.session, 'c').digest;
  const modified = world.session.send({
    type: 'modify',
    callId: 'c',
    digest: before,
    args: { n: 2 },
    by: 'me',
  });
  const tooSoon = answer(world, 'c', 'proceed_once', { digest: before });
  expect(codeOf(await modified)).toBe('ok');
  expect(codeOf(await tooSoon)).toBe('question_changed');
  await world.session.idle();
  const after = questionOf(world.session, 'c').digest;
  expect(after).not.toBe(before);
  expect(ran).toEqual([]);
  await answer(world, 'c', 'proceed_once', { digest: after });
  await running;
  expect(ran).toEqual(['c {"n":2}']);
  await world.session.dispose();
});

test('"always" also answers the questions beside it that it covers, and those to come [P6]', async () => {
  const ran: string[] = [];
  const world = await openTestSession([
    edit(ran, {
      plan: ({ path }) => ({
        resources: [{ kind: 'fs.write', path: String(path), scope: 'file' }],
        confirmation: editOf(String(path)),
      }),
    }),
  ]);
  const calls = ['/w/a', '/w/b', '/outside/c'].map((path, index) => ({
    callId: `c${index}`,
    name: 'change',
    args: { path },
  }));
  const running = run(world.session, calls);
  await world.session.idle();
  expect(questionOf(world.session, 'c0').offers.map(({ outcome }) => outcome)).toEqual([
    'proceed_once',
    'proceed_always',
    'proceed_always_and_save',
    'modify_with_editor',
    'cancel',
  ]);
  expect(questionOf(world.session, 'c2').offers.map(({ outcome }) => outcome)).toEqual([
    'proceed_once',
    'modify_with_editor',
    'cancel',
  ]);
  await answer(world, 'c0', 'proceed_always');
  await world.session.idle();
  expect(world.session.snapshot().map(({ status }) => status)).toEqual([
    'success',
    'success',
    'awaiting_approval',
  ]);
  await answer(world, 'c2', 'cancel');
  await running;
  const [next] = await run(world.session, [{ name: 'change', args: { path: '/w/d' } }]);
  expect(next).toMatchObject({ status: 'success', permit: { by: { type: 'grant' } } });
  await world.session.dispose();
});

test('a two-use grant under ten parallel calls allows exactly two [P6]', async () => {
  const ran: string[] = [];
  const world = await openTestSession([
    edit(ran, {
      plan: ({ path }) => ({
        resources: [{ kind: 'fs.write', path: String(path), scope: 'file' }],
        confirmation: editOf(String(path)),
      }),
    }),
  ]);
  const first = run(world.session, [{ callId: 'f', name: 'change', args: { path: '/w/f' } }]);
  await world.session.idle();
  await answer(world, 'f', 'proceed_always', { payload: { uses: 2 } });
  await first;
  const ten = run(
    world.session,
    Array.from({ length: 10 }, (_, n) => ({ callId: `c${n}`, name: 'change', args: { path: `/w/${n}` } })),
  );
  await world.session.idle();
  const statuses = world.session.snapshot().map(({ status }) => status);
  expect(statuses.filter((status) => status === 'success')).toHaveLength(2);
  expect(statuses.filter((status) => status === 'awaiting_approval')).toHaveLength(8);
  await world.session.send({ type: 'cancel', target: { type: 'all' }, by: 'me' });
  await ten;
  await world.session.dispose();
});

test('a limited grant shared by two sessions is never used more often than it may be [P6]', async () => {
  const ran: string[] = [];
  const store = memoryStore({ keep: 'all' });
  const tool = edit(ran, {
    plan: ({ path }) => ({
      resources: [{ kind: 'fs.write', path: String(path), scope: 'file' }],
      confirmation: editOf(String(path)),
    }),
  });
  const one = await openTestSession([tool], { journal: store.open(), sessionId: 'one' });
  const two = await openTestSession([tool], { journal: store.open(), sessionId: 'two' });
  const first = run(one.session, [{ callId: 'f', name: 'change', args: { path: '/w/f' } }]);
  await one.session.idle();
  await answer(one, 'f', 'proceed_always_and_save', { payload: { uses: 3 } });
  await first;
  ran.length = 0;
  await new Promise((resolve) => setTimeout(resolve, 50));
  const calls = Array.from({ length: 5 }, (_, n) => ({
    callId: `c${n}`,
    name: 'change',
    args: { path: `/w/${n}` },
  }));
  const both = [run(one.session, calls), run(two.session, calls)];
  await Promise.all([one.session.idle(), two.session.idle()]);
  await Promise.all([one.session.idle(), two.session.idle()]);
  expect(ran).toHaveLength(3);
  for (const { session } of [one, two])
    await session.send({ type: 'cancel', target: { type: 'all' }, by: 'me' });
  await Promise.all(both);
  await one.session.dispose();
  await two.session.dispose();
});

test('revoking a grant cancels what it allowed and has not started, at once and from another session too [P6]', async () => {
  const ran: string[] = [];
  const store = memoryStore({ keep: 'all' });
  const tool = edit(ran, {
    plan: ({ path }) => ({
      resources: [{ kind: 'fs.write', path: String(path), scope: 'file' }],
      confirmation: editOf(String(path)),
    }),
  });
  const blocker = testTool({
    name: 'blocker',
    plan: () => ({ resources: [{ kind: 'fs.write', path: '/w/x', scope: 'file' }], byDefault: 'allow' }),
    run: (_, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
  });
  const one = await openTestSession([tool, blocker], { journal: store.open(), sessionId: 'one' });
  const two = await openTestSession([tool], { journal: store.open(), sessionId: 'two' });
  const first = run(one.session, [{ callId: 'f', name: 'change', args: { path: '/w/f' } }]);
  await one.session.idle();
  await answer(one, 'f', 'proceed_always_and_save');
  await first;
  const blocked = run(one.session, [
    { callId: 'b', name: 'blocker' },
    { callId: 'c', name: 'change', args: { path: '/w/x' } },
  ]);
  const statuses = () => one.session.snapshot().map(({ status }) => status);
  await expect.poll(statuses).toEqual(['executing', 'scheduled']);
  const [grant] = await store.open().grants({ sessionId: 'two', workspace: '/w' });
  await expect
    .poll(async () =>
      codeOf(await two.session.send({ type: 'revoke-grant', grantId: grant?.id ?? '', by: 'me' })),
    )
    .toBe('ok');
  await expect.poll(statuses).toEqual(['executing', 'cancelled']);
  await one.session.send({ type: 'cancel', target: { type: 'all' }, by: 'me' });
  expect((await blocked)[1]).toMatchObject({ reason: { type: 'grant_revoked' } });
  await one.session.dispose();
  await two.session.dispose();
});

test('with no user attached what would ask is denied, and the model learns why [A8]', async () => {
  const ran: string[] = [];
  const { session } = await openTestSession([edit(ran)]);
  const [call] = await run(session, [{ name: 'change' }], { attended: 'nobody' });
  expect(call).toMatchObject({ status: 'error', failure: { code: 'nobody_to_ask' } });
  expect(ran).toEqual([]);
  await session.dispose();
});

test('after a restart the same approvals wait with the same ids and digests, each to be answered on its own [A6]', async () => {
  const ran: string[] = [];
  const store = memoryStore({ keep: 'all' });
  const first = await openTestSession([edit(ran)], { journal: store.open() });
  void first.session.schedule(
    ['a', 'b', 'c'].map((callId) => ({ callId, name: 'change', args: { path: `/w/${callId}` } })),
  );
  await first.session.idle();
  const before = first.session
    .snapshot()
    .map((call) => questionOf(first.session, call.request.callId).digest);
  await first.journal.close();

  const second = await openTestSession([edit(ran)], { journal: store.open() });
  const ids = second.session.snapshot().map(({ request }) => request.callId);
  expect(ids).toEqual(['a', 'b', 'c']);
  expect(ids.map((id) => questionOf(second.session, id).digest)).toEqual(before);
  expect((await second.journal.approvals()).map(({ callId }) => callId)).toEqual(ids);
  const [turn = 0] = second.session.openTurns;
  const ended = second.session.turnEnded(turn);
  await answer(second, 'b', 'proceed_once');
  await answer(second, 'a', 'cancel');
  await answer(second, 'c', 'proceed_once');
  expect(await ended).toMatchObject({
    ok: true,
    calls: [{ status: 'cancelled' }, { status: 'success' }, { status: 'success' }],
  });
  expect(ran.map((line) => line.charAt(0)).toSorted((a, b) => a.localeCompare(b))).toEqual(['b', 'c']);
  await second.session.dispose();
});

test('what a person is shown is plain data of its kind, with the offers that fit it [A1, A2]', async () => {
  const world = await openTestSession([
    edit([], {
      plan: () => ({
        resources: [{ kind: 'fs.write', path: '/w/a', scope: 'file' }],
        confirmation: editOf('/w/a'),
      }),
    }),
    testTool({
      name: 'plain',
      kind: 'other',
      plan: () => ({ resources: [{ kind: 'opaque', why: 'unknown' }] }),
    }),
  ]);
  const running = run(world.session, [
    { callId: 'e', name: 'change' },
    { callId: 'p', name: 'plain', args: { n: 1 } },
  ]);
  await world.session.idle();
  const shown = questionOf(world.session, 'e');
  expect(JSON.parse(JSON.stringify(shown))).toEqual(shown);
  expect(shown.confirmation).toMatchObject({
    type: 'edit',
    filePath: '/w/a',
    diffStat: { added: 1, removed: 0 },
  });
  expect(questionOf(world.session, 'p').confirmation).toMatchObject({
    type: 'info',
    prompt: expect.stringContaining('"n": 1'),
  });
  await world.session.send({ type: 'cancel', target: { type: 'all' }, by: 'me' });
  await running;
  await world.session.dispose();
});

function editOf(path: string) {
  return {
    type: 'edit' as const,
    title: `Edit ${path}`,
    fileName: path,
    filePath: path,
    fileDiff: '+x',
    originalContent: null,
    newContent: 'x',
    diffStat: { added: 1, removed: 0 },
  };
}

test('the same answer again gets the same refusal, not a yes [A5]', async () => {
  let forbidden = false;
  const { policy } = switchable(() => forbidden);
  const world = await openTestSession([edit(), testTool({ name: 'other', kind: 'edit' })], { policy });
  const running = run(world.session, [
    { callId: 'c', name: 'change' },
    { callId: 'o', name: 'other' },
  ]);
  await world.session.idle();
  const { digest } = questionOf(world.session, 'c');
  forbidden = true;
  const first = await answer(world, 'c', 'proceed_once', { digest });
  expect(codeOf(first)).toBe('policy_violation');
  expect(await answer(world, 'c', 'proceed_once', { digest })).toEqual(first);
  await world.session.send({ type: 'cancel', target: { type: 'all' }, by: 'me' });
  await running;
  await world.session.dispose();
});

test('changed arguments may not write where only reading was shown, nor do what no one can name [A3]', async () => {
  const resources = {
    look: [{ kind: 'fs.read' as const, path: '/w/a', scope: 'file' as const }],
    write: [{ kind: 'fs.write' as const, path: '/w/a', scope: 'file' as const }],
    run: [{ kind: 'opaque' as const, why: 'a script' }],
  };
  const tool = testTool({
    name: 'tool',
    kind: 'other',
    plan: ({ does = 'look' }) => ({
      resources: does === 'write' ? resources.write : does === 'run' ? resources.run : resources.look,
      byDefault: 'ask_user',
    }),
  });
  const world = await openTestSession([tool]);
  const running = run(world.session, [{ callId: 'c', name: 'tool' }]);
  await world.session.idle();
  const change = (does: string) => answer(world, 'c', 'proceed_once', { payload: { args: { does } } });
  expect(await change('write')).toMatchObject({ failure: { code: 'path_not_shown', paths: ['/w/a'] } });
  expect(await change('run')).toMatchObject({ failure: { code: 'path_not_shown', paths: ['a script'] } });
  await answer(world, 'c', 'cancel');
  await running;
  await world.session.dispose();
});

test('arguments that cannot be planned leave the question as it was', async () => {
  const tool = testTool({
    name: 'tool',
    kind: 'edit',
    check: (args) => (args['bad'] ? { ok: false, problems: ['"bad" is not known'] } : { ok: true, args }),
  });
  const world = await openTestSession([tool]);
  const running = run(world.session, [{ callId: 'c', name: 'tool' }]);
  await world.session.idle();
  const { digest } = questionOf(world.session, 'c');
  const modified = await world.session.send({
    type: 'modify',
    callId: 'c',
    digest,
    args: { bad: true },
    by: 'me',
  });
  expect(codeOf(modified)).toBe('invalid_tool_params');
  expect(questionOf(world.session, 'c').digest).toBe(digest);
  await answer(world, 'c', 'cancel');
  await running;
  await world.session.dispose();
});
