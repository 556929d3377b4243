import { expect, test } from 'vitest';
import { main as runBatch } from '../../examples/batch.js';
import { main as runEmbedded } from '../../examples/embed.js';

test('a batch shows every status, ends in the documented order, and gives its calls in request order [E1, S1]', async () => {
  const { heard, completed } = await runBatch();
  const updates = heard.filter((line) => line.startsWith('update'));
  for (const status of ['validating', 'scheduled', 'executing', 'success']) {
    expect(updates.some((line) => line.includes(`write:${status}`))).toBe(true);
  }
  expect(heard.slice(-8)).toEqual([
    'update read:success count:success write:success read-again:success',
    'record read success',
    'record count success',
    'record write success',
    'record read-again success',
    'complete read:success count:success write:success read-again:success',
    'update (nothing)',
    'schedule resolved',
  ]);
  expect(completed.map(({ request }) => request.callId)).toEqual(['read', 'count', 'write', 'read-again']);
});

test('none of its calls is seen to start before all of them are decided [E1, S3]', async () => {
  const { heard } = await runBatch();
  const tooEarly = heard.filter((line) => line.includes(':executing') && line.includes(':validating'));
  expect(tooEarly).toEqual([]);
});

test('what conflicts keeps its order: a read after a write of the same file reads what was written [S2]', async () => {
  const { completed } = await runBatch();
  expect(completed.at(-1)?.response.responseParts).toEqual([
    { functionResponse: { id: 'read-again', name: 'read_file', response: { output: 'beta\n' } } },
  ]);
});

test('twenty lines: calls in, questions to a person, parts for the model out [E1, L4]', async () => {
  const { asked, parts } = await runEmbedded();
  expect(asked).toEqual(['Write answer.txt (new file)']);
  expect(parts).toEqual([
    { functionResponse: { id: 'a', name: 'read_file', response: { output: 'Trust is a fine thing.\n' } } },
    {
      functionResponse: {
        id: 'b',
        name: 'write_file',
        response: { output: 'Created answer.txt with 1 line.' },
      },
    },
  ]);
});
