import { expect, test } from 'vitest';
import { main } from '../../examples/errors-beside-good-siblings.js';

const calls = await main();

test('bad calls end in an error each, in their place, and their siblings succeed [E1, L3]', () => {
  expect(calls.map(({ callId, status, errorType }) => [callId, status, errorType])).toEqual([
    ['good', 'success', undefined],
    ['unknown', 'error', 'tool_not_registered'],
    ['bad-args', 'error', 'invalid_tool_params'],
    ['missing', 'error', 'file_not_found'],
    ['throws', 'error', 'unhandled_exception'],
    ['good', 'error', 'duplicate_call_id'],
    ['also-good', 'success', undefined],
  ]);
});

test('an error says what is wrong, to the model and to people in the same words [L3, L4]', () => {
  const texts = calls.filter(({ status }) => status === 'error').map(({ forPeople }) => forPeople);
  expect(texts).toEqual([
    'Tool "raed_file" not found in registry. Did you mean "read_file"?',
    'Invalid arguments for read_file: "file_path" is required (string); "file" is not an argument of read_file (known: file_path, start_line, end_line).',
    'gone.txt does not exist. Did you mean "good.txt"?',
    'The tool failed unexpectedly: I forgot my umbrella.',
    'Another call of this batch already has the id "good".',
  ]);
  for (const { status, forPeople, forTheModel } of calls) {
    if (status === 'error') expect(forTheModel).toEqual({ error: forPeople });
  }
});

test('a call of a tool that does not exist took no time [E1]', () => {
  expect(calls.find(({ callId }) => callId === 'unknown')?.durationMs).toBe(0);
});
