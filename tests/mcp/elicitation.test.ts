import type { AskedQuestion, Json } from '@countersign/protocol';
import { afterEach, expect, test } from 'vitest';
import { startAsking, type Then } from './asking-server.js';
import { McpSession } from './mcp-session.js';

let world: McpSession;
afterEach(() => world.close());

/** What the server receives after it asked with this schema and the person answered so. */
async function received(
  properties: object,
  reply: (questions: readonly AskedQuestion[]) => Json,
  required: string[] = [],
) {
  // A server made with the SDK takes its time to start where other things continue.
  world = await McpSession.open({ limits: { handshakeMs: 15_000, callIdleMs: 15_000 } });
  world.reply = reply;
  const requestedSchema = { type: 'object', properties, required };
  await world.manager.connectToServers({ s: startAsking({ message: 'Which one?', requestedSchema }) });
  const call = await world.call('mcp_s_ask', {}, { answer: 'proceed_once' });
  return call.status === 'success' ? JSON.parse(String(call.result.returnDisplay)) : call;
}

const PROPERTIES = {
  name: { type: 'string', title: 'Name', description: 'How to call it' },
  size: { type: 'string', enum: ['s', 'm', 'l'], enumNames: ['Small', 'Medium', 'Large'] },
  count: { type: 'integer' },
  sure: { type: 'boolean' },
  extras: {
    type: 'array',
    items: {
      anyOf: [
        { const: 'a', title: 'Apples' },
        { const: 'b', title: 'Bees' },
      ],
    },
  },
};

test('what a server asks while a call runs is a question to the person, and the answer reaches it [M2]', async () => {
  const asked: AskedQuestion[] = [];
  const answers = ['box', 'Medium', '3', true, 'Apples, Bees'];
  const content = await received(PROPERTIES, (questions) => {
    const from = asked.length;
    asked.push(...questions);
    return answers.slice(from, from + questions.length);
  });
  expect(content).toEqual({
    action: 'accept',
    content: { name: 'box', size: 'm', count: 3, sure: true, extras: ['a', 'b'] },
  });
  expect(asked.map(({ type }) => type)).toEqual(['text', 'choice', 'text', 'yesno', 'choice']);
  expect(asked[0]?.question).toBe(
    'The MCP server "s" asks: Which one?\nname: Name: How to call it (optional)',
  );
});

test('an answer that does not fit is asked for again, and not forever [M2]', async () => {
  let rounds = 0;
  const content = await received({ count: { type: 'integer' } }, () => [(rounds += 1) < 3 ? 'many' : '7'], [
    'count',
  ]);
  expect(content).toEqual({ action: 'accept', content: { count: 7 } });
  await world.close();
  expect(await received({ count: { type: 'integer' } }, () => ['many'])).toEqual({ action: 'cancel' });
});

test('a user can decline to answer [M2]', async () => {
  expect(await received(PROPERTIES, () => null)).toEqual({ action: 'decline' });
});

test('more choices than can be shown are chosen from by words [M2]', async () => {
  const planets = ['Mercury', 'Venus', 'Earth', 'Mars', 'Jupiter'];
  const content = await received({ planet: { type: 'string', enum: planets } }, ([question]) => {
    expect(question?.question).toContain('(Mercury, Venus, Earth, Mars, Jupiter)');
    return { planet: 'mars' };
  });
  expect(content).toEqual({ action: 'accept', content: { planet: 'Mars' } });
});

test('fields may be called what every object has [M2]', async () => {
  const odd = JSON.parse('{"constructor": {"type": "string"}, "toString": {"type": "string"}}');
  const content = await received(odd, () => ({ 0: 'x', toString: 'y' }));
  expect(content).toEqual({ action: 'accept', content: { constructor: 'x', toString: 'y' } });
});

test('a form that no user would fill in is declined before the user is asked [M2]', async () => {
  const names = Array.from({ length: 21 }, (_, at) => [`f${at}`, { type: 'string' }]);
  let asked = 0;
  expect(await received(Object.fromEntries(names), () => [(asked += 1)])).toEqual({ action: 'decline' });
  expect(asked).toBe(0);
});

const NAME = {
  message: 'Who?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
};

test.each<[string, Then, object]>([
  ['gives up on it', 'time out', { status: 'success' }],
  ['answers the call without it', 'answer', { status: 'success' }],
  ['crashes', 'crash', { status: 'error', failure: { code: 'mcp_outcome_unknown' } }],
])('the question of a server that %s is withdrawn with its call [M2]', async (_, then, expected) => {
  world = await McpSession.open({ limits: { handshakeMs: 15_000, callIdleMs: 15_000 } });
  world.reply = () => undefined;
  await world.manager.connectToServers({ s: startAsking(NAME, then) });
  const call = await world.call('mcp_s_ask', {}, { answer: 'proceed_once' });
  expect(call).toMatchObject(expected);
  expect(world.questions.map(({ confirmation }) => confirmation.title)).toEqual([
    'ask on the MCP server s',
    'Question from the MCP server s',
  ]);
  expect(world.session.snapshot()).toEqual([]);
});

test('a question that its server gives up on is withdrawn at once, also while the call runs on [M2]', async () => {
  world = await McpSession.open({ limits: { handshakeMs: 15_000, callIdleMs: 15_000 } });
  world.reply = () => undefined;
  await world.manager.connectToServers({ s: startAsking(NAME, 'time out, work on') });
  const calling = world.call('mcp_s_ask', {}, { answer: 'proceed_once' });
  const waiting = () => world.session.snapshot().map(({ status }) => status);
  await expect.poll(waiting).toEqual(['executing', 'awaiting_approval']);
  await expect.poll(waiting).toEqual(['executing', 'cancelled']);
  expect(await calling).toMatchObject({ status: 'success' });
});
