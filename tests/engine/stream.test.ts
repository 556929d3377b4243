import { memoryStore } from '@countersign/engine';
import type { ModelMessage } from '@countersign/protocol';
import { deferred, openTestSession, questionOf, testTool, until } from '@countersign/testkit';
import { expect, test } from 'vitest';

const said = (...parts: ModelMessage['parts']): ModelMessage => ({
  role: 'model',
  parts,
  model: 'm',
  usage: null,
  finish: 'STOP',
  turn: null,
  promptId: 'p',
});

function watched(name: string, kind: 'read' | 'edit' = 'read') {
  const planned: string[] = [];
  const ran: string[] = [];
  const tool = testTool({
    name,
    kind,
    plan: (_, { callId }) => {
      planned.push(callId);
      return {};
    },
    run: (_, { callId }) => {
      ran.push(callId);
      return { llmContent: 'done', returnDisplay: '' };
    },
  });
  return { tool, planned, ran };
}

test('calls are planned and judged while the model speaks, and none starts before it has ended [G2]', async () => {
  const look = watched('look');
  const change = watched('change', 'edit');
  const { session } = await openTestSession([look.tool, change.tool]);
  const stream = session.stream();
  await stream.add({ callId: 'a', name: 'look', origin: 'model' });
  await stream.add({ callId: 'b', name: 'change', origin: 'model' });
  await until(() => look.planned.length + change.planned.length === 2, 'both are planned');
  await session.idle();
  expect(session.snapshot()).toMatchObject([
    { status: 'validating', step: 'judged', verdict: { decision: 'allow' } },
    { status: 'validating', step: 'judged', verdict: { decision: 'ask_user' } },
  ]);
  expect(look.ran).toEqual([]);

  const ended = stream.end(said({ text: 'both' }));
  await until(() => look.ran.length === 1, 'the look has run');
  const { digest } = questionOf(session, 'b');
  await session.send({ type: 'answer', callId: 'b', digest, outcome: 'proceed_once', by: 'me' });
  expect(await ended).toMatchObject({ ok: true, calls: [{ status: 'success' }, { status: 'success' }] });
  expect(look.planned).toEqual(['a']);
  await session.dispose();
});

test('what a model asked for before its answer broke off is not carried out [G2]', async () => {
  const change = watched('change', 'edit');
  const { session, journal } = await openTestSession([change.tool], { mode: 'yolo' });
  const stream = session.stream();
  await stream.add({ callId: 'a', name: 'change' });
  await until(() => change.planned.length === 1, 'it is planned');
  await stream.breakOff('model');
  expect(session.openTurns).toEqual([]);
  const types = (await journal.read('test', 0)).map(({ event }) => event.type);
  expect(types).toContain('call.cancelled');
  expect(change.ran).toEqual([]);
  await session.dispose();
});

test('a denied call of a stream is over at once, and the others continue [G2, P1]', async () => {
  const change = watched('change', 'edit');
  const look = watched('look');
  const { session } = await openTestSession([change.tool, look.tool], { mode: 'plan' });
  const stream = session.stream();
  await stream.add({ callId: 'a', name: 'change' });
  await stream.add({ callId: 'b', name: 'look' });
  await stream.add({ callId: 'c', name: 'nope' });
  await stream.add({ callId: 'b', name: 'look' });
  const outcome = await stream.end(said());
  expect(outcome).toMatchObject({
    ok: true,
    calls: [
      { status: 'error', failure: { code: 'policy_violation' } },
      { status: 'success' },
      { status: 'error', failure: { code: 'tool_not_registered' } },
      { status: 'error', failure: { code: 'duplicate_call_id' } },
    ],
  });
  await session.dispose();
});

test('a plan that ends after the answer did is carried out then [G2]', async () => {
  const gate = deferred();
  const slow = testTool({ name: 'slow', plan: () => gate.promise.then(() => ({})) });
  const { session } = await openTestSession([slow]);
  const stream = session.stream();
  await stream.add({ callId: 'a', name: 'slow' });
  const ended = stream.end(said({ text: 'x' }));
  gate.resolve();
  expect(await ended).toMatchObject({ ok: true, calls: [{ status: 'success' }] });
  await session.dispose();
});

test('an answer without calls is kept, and needs no turn [G2, J1]', async () => {
  const { session, journal } = await openTestSession([]);
  await session.say({ role: 'user', parts: [{ text: 'hi' }], by: 'me', promptId: 'p' });
  expect(await session.stream().end(said({ text: 'hello' }))).toMatchObject({ ok: true, calls: [] });
  const messages = (await journal.read('test', 0)).flatMap(({ event }) =>
    event.type === 'message.added' ? [event.message] : [],
  );
  expect(messages).toMatchObject([
    { id: 1, role: 'user', parts: [{ text: 'hi' }] },
    { id: 2, role: 'model', parts: [{ text: 'hello' }], turn: null },
  ]);
  await session.dispose();
});

test('after a crash in the middle of an answer its calls are cancelled and the next prompt works [J2, G2]', async () => {
  const change = watched('change', 'edit');
  const store = memoryStore({ keep: 'all' });
  const before = await openTestSession([change.tool], { journal: store.open(), mode: 'yolo' });
  await before.session.stream().add({ callId: 'a', name: 'change' });
  await before.session.idle();
  await before.journal.close();

  const { session } = await openTestSession([change.tool], { journal: store.open() });
  expect(session.openTurns).toEqual([]);
  expect(change.ran).toEqual([]);
  const stream = session.stream();
  await stream.add({ callId: 'a', name: 'change' });
  expect(await stream.end(said())).toMatchObject({ ok: true, calls: [{ status: 'success' }] });
  await session.dispose();
});

test('a call that comes together with the end of its answer is written down with it [G2, J1]', async () => {
  const change = watched('change', 'edit');
  const store = memoryStore({ keep: 'all' });
  const { session, journal } = await openTestSession([change.tool], { journal: store.open(), mode: 'yolo' });
  const turns: number[] = [];
  const stream = session.stream({ onTurn: (turn) => turns.push(turn) });
  const added = stream.add({ callId: 'a', name: 'change', origin: 'model' });
  const again = stream.add({ callId: 'a', name: 'change', origin: 'model' });
  const ended = stream.end(said({ text: 'one' }));
  await stream.handedIn();
  expect(await added).toMatchObject({ ok: true, turn: 1, callIds: ['a', 'a~2'] });
  expect(await again).toEqual(await added);
  expect(await ended).toMatchObject({
    ok: true,
    turn: 1,
    calls: [{ status: 'success' }, { status: 'error', failure: { code: 'duplicate_call_id' } }],
  });
  expect(turns).toEqual([1]);
  const types = (await journal.read('test', 0)).map(({ event }) => event.type);
  expect(types.slice(types.indexOf('turn.started'))).toEqual([
    'turn.started',
    'call.requested',
    'call.requested',
    'call.failed',
    'message.added',
    'turn.sealed',
    'call.planned',
    'call.granted',
    'call.started',
    'call.succeeded',
    'turn.ended',
  ]);
  await session.dispose();
});

test('calls that come one after the other join the turn of the first, the last with the end [G2]', async () => {
  const look = watched('look');
  const { session, journal } = await openTestSession([look.tool]);
  const stream = session.stream();
  await stream.add({ callId: 'a', name: 'look' });
  void stream.add({ callId: 'b', name: 'look' });
  expect(await stream.end(said({ text: 'two' }))).toMatchObject({
    turn: 1,
    calls: [{ request: { callId: 'a', index: 0 } }, { request: { callId: 'b', index: 1 } }],
  });
  const messages = (await journal.read('test', 0)).flatMap(({ event }) =>
    event.type === 'message.added' ? [event.message] : [],
  );
  expect(messages).toMatchObject([{ turn: 1 }]);
  await session.dispose();
});

test('a call that no one has handed in yet when the answer breaks off is kept, and cancelled [G2, J1]', async () => {
  const change = watched('change', 'edit');
  const { session, journal } = await openTestSession([change.tool], { mode: 'yolo' });
  const stream = session.stream();
  void stream.add({ callId: 'a', name: 'change' });
  await stream.breakOff('model');
  const types = (await journal.read('test', 0)).map(({ event }) => event.type);
  expect(types).toContain('call.requested');
  expect(types).toContain('call.cancelled');
  expect(session.openTurns).toEqual([]);
  expect(change.ran).toEqual([]);
  await session.dispose();
});

test('a stream of a session that is left is told so [G2]', async () => {
  const { session } = await openTestSession([watched('look').tool]);
  const stream = session.stream();
  const added = stream.add({ callId: 'a', name: 'look' });
  await session.dispose();
  expect(await added).toMatchObject({ ok: false, failure: { code: 'disposed' } });
  expect(await stream.end(said({ text: 'x' }))).toMatchObject({ ok: false, failure: { code: 'disposed' } });
});
