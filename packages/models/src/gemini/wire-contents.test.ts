import { expect, test } from 'vitest';
import type { Content, Part } from '../provider.js';
import { wireContents } from './wire-contents.js';

const GEMINI_3 = 'gemini-3.8-flash';
const GEMINI_2 = 'gemini-2.5-pro';
const IMAGE: Part = { inlineData: { mimeType: 'image/png', data: 'iVBORw0=' } };
const AUDIO: Part = { inlineData: { mimeType: 'audio/mpeg', data: 'SUQz' } };

const user = (...parts: readonly Part[]): Content => ({ role: 'user', parts });
const model = (...parts: readonly Part[]): Content => ({ role: 'model', parts });
const call = (id?: string): Part => ({ functionCall: { ...(id && { id }), name: 'read_file', args: {} } });
const response = (id: string, more = {}): Part => ({
  functionResponse: { id, name: 'read_file', response: { output: 'x' }, ...more },
});

test('media of a result are nested for Gemini 3, and follow it for those before', () => {
  const before = [user({ text: 'Look' }), model(call('a'), call('b'))];
  const beside = user(response('a'), IMAGE, response('b'), AUDIO);
  const nested = user(response('a', { parts: [IMAGE] }), response('b'), AUDIO);
  expect(wireContents([...before, beside], GEMINI_3).at(-1)).toEqual(nested);
  expect(wireContents([...before, beside], GEMINI_2).at(-1)).toEqual(beside);
  expect(wireContents([...before, nested], GEMINI_2).at(-1)).toEqual(beside);
});

test('an image that a person gives is left where it is', () => {
  const contents = [user({ text: 'Look' }, IMAGE)];
  expect(wireContents(contents, GEMINI_3)).toEqual(contents);
});

test('a result keeps the id that Gemini gave its call, and loses one that Gemini never saw', () => {
  const sent = wireContents(
    [user({ text: 'Go' }), model(call('a'), call()), user(response('a'), response('ours'))],
    GEMINI_2,
  );
  expect(sent[2]).toEqual(
    user(response('a'), { functionResponse: { name: 'read_file', response: { output: 'x' } } }),
  );
});

test('messages without parts are skipped', () => {
  expect(wireContents([user({ text: 'Hi' }), model(), user({ text: 'Hello?' })], GEMINI_2)).toEqual([
    user({ text: 'Hi' }),
    user({ text: 'Hello?' }),
  ]);
});

test('what another provider made is said in the words that Gemini has, without its thoughts and signatures', () => {
  const wire = { origin: 'elsewhere' };
  const sent = wireContents(
    [
      user({ text: 'Hi' }),
      model(
        { text: 'Hm', thought: true, thoughtSignature: 'theirs', wire },
        { text: 'Hello', wire },
        { wire },
        { ...call('a'), thoughtSignature: 'theirs', wire },
      ),
    ],
    GEMINI_2,
  );
  expect(sent[1]).toEqual(model({ text: 'Hello' }, call('a')));
});

test('calls of the current turn that no Gemini made pass its check of signatures', () => {
  const old = [user({ text: 'One' }), model(call('a')), user(response('a'))];
  const current = [
    user({ text: 'Two' }),
    model({ text: 'So' }, call('b'), call('c')),
    user(response('b'), response('c')),
  ];
  const sent = wireContents([...old, ...current], GEMINI_3);
  expect(sent[1]).toEqual(model(call('a')));
  expect(sent[4]).toEqual(
    model({ text: 'So' }, { ...call('b'), thoughtSignature: 'skip_thought_signature_validator' }, call('c')),
  );
  expect(wireContents([...old, ...current], GEMINI_2)).toEqual([...old, ...current]);
});

test('a signature that is there is left alone', () => {
  const contents = [user({ text: 'Two' }), model({ ...call('b'), thoughtSignature: 'c2ln' }, call('c'))];
  expect(wireContents(contents, GEMINI_3)).toEqual(contents);
});
