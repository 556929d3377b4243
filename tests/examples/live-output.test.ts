import { expect, test } from 'vitest';
import { main } from '../../examples/live-output.js';

test('live output and progress are shown while a call runs, and a cancelled call keeps what it had shown [E1, L5]', async () => {
  const { outputs, progress, counted, stopped } = await main();
  expect(outputs).toEqual(['short: 1', 'short: 1\n2', 'short: 1\n2\n3', 'endless: 1', 'endless: 1\n2']);
  expect(progress).toContain('3/3 at 3: 1\n2\n3');
  expect(counted).toMatchObject({ status: 'success', response: { resultDisplay: '1 2 3' } });
  expect(stopped).toMatchObject({ status: 'cancelled', response: { errorType: 'aborted' } });
  expect(stopped?.response.responseParts).toEqual([
    {
      functionResponse: {
        id: 'endless',
        name: 'count_up',
        response: {
          error: 'User cancelled tool execution.',
          output:
            '1\n2\n[Partial output: the call did not finish.]\n\n[The call had started and may have taken effect, in whole or in part. Check before repeating it.]',
          mayHaveHappened: true,
        },
      },
    },
  ]);
});
