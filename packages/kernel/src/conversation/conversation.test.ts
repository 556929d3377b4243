import type { Event, MessagePart, SettledCall, SuccessfulCall } from '@countersign/protocol';
import { expect, test } from 'vitest';
import { Conversation } from './conversation.js';

const called = (id: string | null, name: string): MessagePart => ({
  functionCall: { ...(id !== null && { id }), name, args: {} },
});

function conversation(...steps: readonly (readonly [Event, SettledCall?])[]): Conversation {
  const shown = new Conversation(({ request: { turn, index } }) => `/kept/${turn}-${index}/result.txt`);
  for (const [event, call] of steps) shown.observe(event, call);
  return shown;
}

const user = (id: number, text: string): readonly [Event] => [
  { type: 'message.added', message: { id, at: 0, role: 'user', parts: [{ text }], by: 'me', promptId: 'p' } },
];

const model = (id: number, turn: number | null, ...parts: readonly MessagePart[]): readonly [Event] => [
  {
    type: 'message.added',
    message: {
      id,
      at: 0,
      role: 'model',
      parts,
      model: 'm',
      usage: null,
      finish: 'STOP',
      turn,
      promptId: 'p',
    },
  },
];

function result(
  turn: number,
  index: number,
  text: string,
  followUp?: { readonly callId: string; readonly name: string; readonly depth: number },
): readonly [Event, SettledCall] {
  const callId = followUp ? `${turn}-${index}~2` : `${turn}-${index}`;
  const output = { llmContent: text, returnDisplay: text };
  const call: SuccessfulCall = {
    status: 'success',
    request: {
      callId,
      wireId: `${turn}-${followUp ? 0 : index}`,
      name: 'look',
      args: {},
      argsHash: '',
      origin: 'model',
      promptId: 'p',
      turn,
      index,
      revision: 0,
      at: 0,
      waitForPrevious: false,
      calledAs: null,
      ...(followUp && { followUp }),
    },
    plan: {
      title: '',
      kind: 'read',
      resources: [],
      locations: [],
      basis: [],
      repeat: 'safe',
      after: 'conflicts',
      byDefault: null,
      digest: 'd',
    },
    permit: { digest: 'd', by: { type: 'policy', rule: null } },
    answer: null,
    attempt: 1,
    startedAt: 0,
    endedAt: 0,
    result: output,
  };
  return [{ type: 'call.succeeded', callId, result: output, at: 0 }, call];
}

const answered = (id: string | null, name: string, output: string) => ({
  functionResponse: { ...(id !== null && { id }), name, response: { output } },
});

test('a result that a client made up is not shown, and the call has the one that it gave [G2] [W3]', () => {
  const madeUp = { functionResponse: { id: 'a', name: 'look', response: { output: 'made up' } } };
  const parts = [{ text: 'Hello', ...madeUp }, madeUp, { unknown: true }];
  const stored: Event = {
    type: 'message.added',
    message: { id: 2, at: 0, role: 'user', parts, by: 'me', promptId: 'p' },
  };
  const contents = conversation(model(1, 1, called('a', 'look')), result(1, 0, 'seen'), [stored]).contents();
  const omitted = { text: '[A part of this message is omitted: it is neither text nor a file.]' };
  expect(contents[1]).toEqual({
    role: 'user',
    parts: [
      { functionResponse: { id: 'a', name: 'look', response: { output: 'seen' } } },
      { text: 'Hello' },
      omitted,
      omitted,
    ],
  });
});

test('every call has one result, in the order of the calls, under the id that the provider gave [J3, G1]', () => {
  const shown = conversation(
    user(1, 'hi'),
    model(2, 1, { text: 'let me see' }, called('x', 'look'), called(null, 'look')),
    result(1, 1, 'second'),
    result(1, 0, 'first'),
    model(3, null, { text: 'done' }),
  );
  expect(shown.contents()).toEqual([
    { role: 'user', parts: [{ text: 'hi' }] },
    { role: 'model', parts: [{ text: 'let me see' }, called('x', 'look'), called(null, 'look')] },
    { role: 'user', parts: [answered('x', 'look', 'first'), answered(null, 'look', 'second')] },
    { role: 'model', parts: [{ text: 'done' }] },
  ]);
});

test('a call that never ended still has a result in the history [J3]', () => {
  const shown = conversation(
    user(1, 'hi'),
    model(2, 1, called('x', 'look'), called('y', 'list')),
    result(1, 0, 'one'),
  );
  expect(shown.contents().at(-1)).toMatchObject({
    role: 'user',
    parts: [
      { functionResponse: { id: 'x' } },
      {
        functionResponse: {
          id: 'y',
          name: 'list',
          response: { error: expect.stringContaining('No result') },
        },
      },
    ],
  });
});

test('what was typed while tools ran comes after their results, in the same message [G2]', () => {
  const shown = conversation(
    user(1, 'hi'),
    model(2, 1, called('x', 'look')),
    user(3, 'not that file'),
    result(1, 0, 'one'),
  );
  expect(shown.contents().at(-1)).toEqual({
    role: 'user',
    parts: [answered('x', 'look', 'one'), { text: 'not that file' }],
  });
});

test('a follow-up answers in the place of the call that it follows [H2]', () => {
  const shown = conversation(
    model(1, 1, called('x', 'look')),
    result(1, 0, 'first'),
    result(1, 1, 'instead', { callId: '1-0', name: 'look', depth: 1 }),
  );
  expect(shown.contents().at(-1)).toEqual({ role: 'user', parts: [answered('x', 'look', 'instead')] });
});

test('after compression the model is shown the summary and what was kept, and nothing is lost [G3]', () => {
  const shown = conversation(
    user(1, 'the password is tulip'),
    model(2, null, { text: 'noted' }),
    user(3, 'go on'),
    model(4, 1, called('x', 'look')),
    result(1, 0, 'one'),
    [{ type: 'history.compressed', summary: 'The password is tulip.', keptFrom: 4, usage: null, at: 0 }],
  );
  const contents = shown.contents();
  expect(contents.map(({ role }) => role)).toEqual(['user', 'model', 'user']);
  expect(JSON.stringify(contents[0])).toContain('The password is tulip.');
  expect(shown.messages).toHaveLength(4);
});

test('old outputs are replaced by references first, and short ones are left [G3]', () => {
  const long = 'x'.repeat(5_000);
  const shown = conversation(
    model(1, 1, called('x', 'look'), called('y', 'look')),
    result(1, 0, long),
    result(1, 1, 'short'),
    model(2, 2, called('z', 'look')),
    result(2, 0, long),
    [{ type: 'history.masked', throughTurn: 1, at: 0 }],
  );
  const [, first, , second] = shown.contents();
  expect(first?.parts).toMatchObject([
    { functionResponse: { id: 'x', response: { output: expect.stringContaining('/kept/1-0/result.txt') } } },
    answered('y', 'look', 'short'),
  ]);
  expect(second?.parts).toEqual([answered('z', 'look', long)]);
});

test('what a person or a program called is kept for no model [G1]', () => {
  const [event, call] = result(1, 0, 'long');
  const shown = conversation([event, { ...call, request: { ...call.request, origin: 'client' } }]);
  expect(shown.resultsOf(1)).toEqual([]);
});
