import { expect, test } from 'vitest';
import { main } from '../../examples/persistence.js';

test('a question outlives the scheduler that asked it, is the same afterwards, and can be answered [E1, A6]', async () => {
  const { before, after, written } = await main();
  expect(before.map(({ request }) => request.callId)).toEqual(['w']);
  expect(after.waiting.map(({ request }) => request.callId)).toEqual(['w']);
  expect(after.waiting[0]?.confirmationDetails.digest).toBe(before[0]?.confirmationDetails.digest);
  expect(after.completed.map(({ status, outcome }) => `${status} ${outcome}`)).toEqual([
    'success proceed_once',
  ]);
  expect(written).toBe('alpha\n');
});

test('a snapshot file holds the calls as they were last shown [E2]', async () => {
  const { snapshot } = await main();
  expect(snapshot).toMatchObject({
    toolCalls: [{ status: 'awaiting_approval', tool: 'write_file', request: { callId: 'w' } }],
    sessionId: process.env['SESSION_ID'] ?? 'default',
    timestamp: expect.any(Number),
  });
});
