import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ModelEvent, ModelRequest, Provider } from '../provider.js';
import { replayFile, replayProvider } from './replay-provider.js';

const REQUEST: ModelRequest = { model: 'gemini-2.5-pro', system: '', contents: [], declarations: [] };
const never = new AbortController().signal;
const answer = (text: string) => ({ candidates: [{ content: { parts: [{ text }] }, finishReason: 'STOP' }] });
const streamed = (...chunks: readonly unknown[]) =>
  JSON.stringify({ method: 'generateContentStream', response: chunks });
const whole = (text: string) => JSON.stringify({ method: 'generateContent', response: answer(text) });

async function listen(provider: Provider, signal = never) {
  const events: ModelEvent[] = [];
  for await (const event of provider.stream(REQUEST, signal)) events.push(event);
  return events;
}

test('a recording is said again, chunk by chunk, each method in its own order [G1]', async () => {
  const part = { functionCall: { name: 'glob', args: { pattern: '*' } }, thoughtSignature: 'c2ln' };
  const recording = [
    whole('{"model_choice": "pro"}'),
    streamed(
      { candidates: [{ content: { parts: [{ text: 'Looking.' }] } }] },
      { candidates: [{ content: { parts: [part] }, finishReason: 'STOP' }] },
    ),
    '',
    JSON.stringify({ method: 'countTokens', response: { totalTokens: 3 } }),
    streamed(answer('Done.')),
    whole('A summary.'),
    '',
  ].join('\n');
  const replay = replayProvider(recording, 'turns.jsonl');
  expect(await listen(replay)).toMatchObject([
    { type: 'text', text: 'Looking.' },
    { type: 'call', id: null, name: 'glob', args: { pattern: '*' } },
    { type: 'finished', reason: 'calls', content: { parts: [{ text: 'Looking.' }, part] } },
  ]);
  expect(await listen(replay)).toMatchObject([{ text: 'Done.' }, { reason: 'stop' }]);
  expect((await replay.complete(REQUEST, never)).finished.content.parts).toEqual([
    { text: '{"model_choice": "pro"}' },
  ]);
  expect((await replay.complete(REQUEST, never)).finished.content.parts).toEqual([{ text: 'A summary.' }]);
});

test('a recording that is used up reports which response is missing [G1]', async () => {
  const replay = replayProvider(whole('x'), 'turns.jsonl');
  await expect(listen(replay)).rejects.toMatchObject({
    failure: {
      code: 'model_rejected',
      provider: 'The recording turns.jsonl',
      message: 'it has no further response to a request for a stream ("generateContentStream").',
    },
  });
});

test.each(['{"method":', '7', '{"response":[]}', '{"method":"generateContent"}'])(
  'the line %s is named as what is wrong [G1]',
  (line) => {
    const problem = 'line 2 is not a recorded response';
    const failure = expect.objectContaining({ code: 'model_nonsense', problem, excerpt: line });
    expect(() => replayProvider(`${whole('x')}\n${line}`, 'turns.jsonl')).toThrow(
      expect.objectContaining({ failure }),
    );
  },
);

test('a recorded stream goes through the same checks as a live one [G1]', async () => {
  const replay = replayProvider(
    [streamed({ candidates: [] }), streamed({ error: { code: 429, message: 'Slow.' } })].join('\n'),
    'r',
  );
  await expect(listen(replay)).rejects.toMatchObject({ failure: { code: 'model_cut_off' } });
  await expect(listen(replay)).rejects.toMatchObject({ failure: { code: 'model_overloaded' } });
});

test('a recording is read from a file, and one that is not there is reported [G1]', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-replay-'));
  try {
    writeFileSync(join(directory, 'a.jsonl'), streamed(answer('Hi')));
    expect(await listen(await replayFile(join(directory, 'a.jsonl')))).toMatchObject([{ text: 'Hi' }, {}]);
    await expect(replayFile(join(directory, 'b.jsonl'))).rejects.toMatchObject({
      failure: { code: 'model_not_configured' },
    });
  } finally {
    rmSync(directory, { recursive: true });
  }
});
