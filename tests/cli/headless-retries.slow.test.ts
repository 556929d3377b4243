import { expect } from 'vitest';
import { answers } from '../../packages/models/src/testing/wire-server.js';
import { FakeModel, ofType, resultOf, streaming } from './headless-model.js';
import { test } from './program.js';

// The delays between six tries add up to about half a minute.
test('a provider that keeps failing is given up on, and each attempt is reported [G3]', {
  timeout: 90_000,
}, async ({ place }) => {
  const model = await FakeModel.start(answers(503, JSON.stringify({ error: { message: 'overloaded' } })));
  const running = model.start(place, streaming('go'));
  running.end();
  while (running.lines.at(-1)?.['type'] !== 'result') await new Promise((next) => setTimeout(next, 200));
  const ran = await running.ended();
  expect([ran.code, model.server.received.length]).toEqual([1, 6]);
  expect(ofType(ran, 'error').map(({ severity }) => severity)).toEqual([
    ...Array(5).fill('warning'),
    'error',
  ]);
  expect(resultOf(ran)).toMatchObject({ status: 'error', error: { type: 'model_overloaded' } });
});
