import { expect, test } from 'vitest';
import { main } from '../../examples/performance.js';

test('figures are right over all batches, and every completed call leaves a record [O1, E2]', async () => {
  const { totalCalls, averageDuration, successRate, records, completed } = await main();
  expect(totalCalls).toBe(4);
  expect(successRate).toBe(0.5);
  const durations = completed.map(({ durationMs }) => durationMs);
  expect(averageDuration).toBe(durations.reduce((sum, ms) => sum + ms, 0) / 4);

  expect(
    records.map((record) => [record.call_id, record.status, record.decision, record.decided_by]),
  ).toEqual([
    ['1', 'success', 'auto_accept', expect.stringMatching(/^default-policy\.toml:\d+$/)],
    ['2', 'success', 'auto_accept', expect.stringMatching(/^default-policy\.toml:\d+$/)],
    ['3', 'error', 'auto_accept', 'policy'],
    ['4', 'cancelled', 'reject', 'user'],
  ]);
  expect(records[2]).toMatchObject({
    'event.name': 'tool_call',
    function_name: 'read_file',
    function_args: { file_path: 'gone.txt' },
    success: false,
    prompt_id: 'prompt-7',
    error_type: 'file_not_found',
    waiting_ms: 0,
  });
});
