import type { Failure } from '@countersign/protocol';
import { expect, test } from 'vitest';
import { ModelError, type ModelEvent, type ModelRequest, type Provider } from '../provider.js';
import { scriptedProvider } from './scripted-provider.js';

const REQUEST: ModelRequest = { model: 'm', system: '', contents: [], declarations: [] };
const never = new AbortController().signal;

async function listen(provider: Provider, request = REQUEST, signal = never) {
  const events: ModelEvent[] = [];
  for await (const event of provider.stream(request, signal)) events.push(event);
  return events;
}

test('steps become events, and the last holds them all as the history needs them [G1]', async () => {
  const usage = { inputTokens: 1, outputTokens: 2, cachedTokens: 0, thoughtTokens: 0 };
  const script = scriptedProvider([
    [
      { thought: 'Hm' },
      { text: 'Reading.' },
      { delayMs: 1 },
      { call: 'read_file', args: { file_path: 'a' }, id: 'c1' },
      { badCall: 'glob', problem: 'cut off' },
      { usage },
    ],
  ]);
  expect(await listen(script)).toEqual([
    { type: 'thought', text: 'Hm' },
    { type: 'text', text: 'Reading.' },
    { type: 'call', id: 'c1', name: 'read_file', args: { file_path: 'a' } },
    { type: 'bad_call', id: null, name: 'glob', problem: 'cut off' },
    {
      type: 'finished',
      reason: 'calls',
      said: 'calls',
      message: null,
      content: {
        role: 'model',
        parts: [
          { text: 'Hm', thought: true },
          { text: 'Reading.' },
          { functionCall: { id: 'c1', name: 'read_file', args: { file_path: 'a' } } },
          { functionCall: { name: 'glob', args: {} } },
        ],
      },
      usage,
      model: 'm',
    },
  ]);
});

test('answers may look at the request, and what was asked is remembered [G1]', async () => {
  const script = scriptedProvider((request) => [{ text: request.system }, { finish: 'length' }]);
  expect(await listen(script, { ...REQUEST, system: 'one' })).toMatchObject([
    { text: 'one' },
    { reason: 'length' },
  ]);
  expect(await listen(script, { ...REQUEST, system: 'two' })).toMatchObject([{ text: 'two' }, {}]);
  expect(script.requests.map(({ system }) => system)).toEqual(['one', 'two']);
});

test('a failure breaks the response off, and a script that is used up reports that [G1]', async () => {
  const cut: Failure = { code: 'model_cut_off', provider: 'P', problem: 'cut' };
  const script = scriptedProvider([[{ text: 'Once' }, { fail: cut }]]);
  await expect(listen(script)).rejects.toMatchObject({ failure: cut });
  await expect(listen(script)).rejects.toMatchObject({
    failure: { code: 'model_rejected', message: 'it has 1 responses, and this is request 2.' },
  });
  await expect(listen(script)).rejects.toBeInstanceOf(ModelError);
});

test('aborted while it waits, it throws the reason [G2]', async () => {
  const stop = new AbortController();
  setTimeout(() => stop.abort(new Error('stop')), 10);
  await expect(listen(scriptedProvider([[{ delayMs: 60_000 }]]), REQUEST, stop.signal)).rejects.toThrow(
    'stop',
  );
});
