import { expect, test } from 'vitest';
import { main } from '../../examples/time-out.js';

test('what is not over in time is cancelled, be it running or unanswered; what was over stays [E2, L5]', async () => {
  // Long enough for the quick call on a busy machine.
  const calls = await main(1_500);
  expect(calls.map(({ request, status }) => `${request.callId} ${status}`)).toEqual([
    'quick success',
    'slow cancelled',
    'unanswered cancelled',
  ]);
  for (const { response, status } of calls) {
    if (status === 'cancelled') expect(response.resultDisplay).toBe('User cancelled tool execution.');
  }
});
