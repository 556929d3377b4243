import { expect, test } from 'vitest';
import type { Content, Part } from '../provider.js';
import { turnsOf } from './turns.js';

const user = (...parts: readonly Part[]): Content => ({ role: 'user', parts });
const model = (...parts: readonly Part[]): Content => ({ role: 'model', parts });
const call = (name: string, id?: string): Part => ({ functionCall: { name, args: {}, ...(id && { id }) } });
const response = (name: string, output: string, id?: string): Part => ({
  functionResponse: { name, response: { output }, ...(id && { id }) },
});
const turns = (...contents: readonly Content[]) =>
  turnsOf(contents, { origin: 'here', acceptedId: /^[\w-]{1,20}$/ });

/** Each call's id on the wire and the text of its result. */
const results = (...contents: readonly Content[]) =>
  turns(...contents).flatMap(({ parts }) =>
    parts.flatMap((part) => (part.kind === 'call' ? [[part.id, part.result.text]] : [])),
  );

test('a response goes to the call of its id, in whatever order they come [G1]', () => {
  expect(
    results(
      model(call('read', 'a'), call('read', 'b')),
      user(response('read', 'B', 'b'), response('read', 'A', 'a')),
    ),
  ).toEqual([
    ['a', 'A'],
    ['b', 'B'],
  ]);
});

test('without ids responses go to calls of their name in order, and ids are made that stay the same [G1]', () => {
  const first = [model(call('read'), call('list'), call('read'))];
  const answered = user(response('read', 'R1'), response('read', 'R2'), response('list', 'L'));
  const expected = [
    ['call00001', 'R1'],
    ['call00002', 'L'],
    ['call00003', 'R2'],
  ];
  expect(results(...first, answered)).toEqual(expected);
  expect(results(...first, answered, model(call('read')), user(response('read', 'R3')))).toEqual([
    ...expected,
    ['call00004', 'R3'],
  ]);
});

test('a response under our own id goes to the call that came without one [G1]', () => {
  expect(results(model(call('read')), user(response('read', 'R', 'read-1760000000000-ab')))).toEqual([
    ['call00001', 'R'],
  ]);
});

test('an id that is given again in a later answer is another call [G1]', () => {
  expect(
    results(
      model(call('read', '0')),
      user(response('read', 'first', '0')),
      model(call('read', '0')),
      user(response('read', 'second', '0')),
    ),
  ).toEqual([
    ['0', 'first'],
    ['call00002', 'second'],
  ]);
});

test('an older call that was given up takes no later response [G1]', () => {
  expect(
    results(model(call('read')), user({ text: 'Stop' }), model(call('read')), user(response('read', 'R'))),
  ).toEqual([
    ['call00001', 'No result was recorded for this call.'],
    ['call00002', 'R'],
  ]);
});

test('a response whose call is missing is reported to the model [G1]', () => {
  expect(turns(user(response('read', 'R', 'a'), { text: 'Well?' }))).toEqual([
    {
      role: 'user',
      parts: [
        { kind: 'words', text: 'The result of an earlier call of read: R' },
        { kind: 'words', text: 'Well?' },
      ],
    },
  ]);
});

test('a picture that the model made is shown by the user [G1]', () => {
  const made = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };
  expect(
    turns(user({ text: 'Draw' }), model({ text: 'Here' }, made), user({ text: 'Bigger' })),
  ).toMatchObject([
    { role: 'user' },
    { role: 'model', parts: [{ text: 'Here' }] },
    { role: 'user', parts: [{ kind: 'media', data: 'AAAA' }, { text: 'Bigger' }] },
  ]);
});

test('a history that ends with the model is asked to continue; an answer of thoughts alone is no turn [G1]', () => {
  const thoughts = model({ text: 'Hm', thought: true, wire: { origin: 'here' } });
  expect(
    turns(user({ text: 'Hello' }), thoughts, user({ text: 'Well?' }), model({ text: 'Hi' })),
  ).toMatchObject([
    { role: 'user', parts: [{ text: 'Hello' }, { text: 'Well?' }] },
    { role: 'model', parts: [{ text: 'Hi' }] },
    { role: 'user', parts: [{ text: 'Continue.' }] },
  ]);
});
