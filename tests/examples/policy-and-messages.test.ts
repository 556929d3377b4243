import { expect, test } from 'vitest';
import { main } from '../../examples/policy-and-messages.js';

const ran = await main();

test('a message answers like onConfirm, and only what still asks is asked [E2]', () => {
  expect(ran.asked).toEqual(['by-message: Write src/a.txt (new file)']);
  expect(ran.calls.map((call) => [call?.status, call?.outcome])).toEqual([
    ['success', 'proceed_once'],
    ['success', undefined],
    ['error', undefined],
  ]);
});

test('rules that are added while it runs count for the next call, and say why [E2, P1]', () => {
  expect(ran.calls[2]?.response).toMatchObject({
    errorType: 'policy_violation',
    resultDisplay: 'Denied by policy: Not on a Friday. (PolicyEngine:2)',
  });
  expect(ran.explained).toEqual({ decision: 'deny', reason: 'Not on a Friday.', rulesConsidered: 1 });
});

test('a tool that is denied without conditions is not declared to the model [P2]', () => {
  expect(ran.whileDenied).not.toContain('write_file');
  expect(ran.afterwards).toContain('write_file');
});
