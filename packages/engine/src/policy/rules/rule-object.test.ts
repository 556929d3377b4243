import { expect, test } from 'vitest';
import { readRuleObject } from './rule-object.js';

const place = { file: 'a program', tier: 'user', line: 3 } as const;

test('a rule written as an object is read like one of a file [P2]', () => {
  const read = readRuleObject(
    {
      tool: ['read_*', 'glob'],
      decision: 'ask',
      priority: 7,
      modes: ['autoEdit'],
      argsPattern: 'x',
      denyMessage: null,
    },
    place,
  );
  expect(read).toMatchObject({
    ok: true,
    draft: {
      argsPattern: 'x',
      rule: {
        ref: { file: 'a program', line: 3, tier: 'user', priority: 7, name: null },
        tools: ['read_*', 'glob'],
        decision: 'ask_user',
        modes: ['auto_edit'],
        denyMessage: null,
      },
    },
  });
});

test('a key that is not known is refused: it might have been the condition [P2]', () => {
  expect(readRuleObject({ toolName: 'a', decision: 'allow', priority: 1, argPattern: 'x' }, place)).toEqual({
    ok: false,
    failure: {
      code: 'policy_invalid',
      file: 'a program',
      line: 3,
      problem: 'the key "argPattern" is not known; did you mean "argsPattern"?',
    },
  });
});

test('what a key may not hold is refused with the reason [P2]', () => {
  expect(readRuleObject({ toolName: 'a', decision: 'maybe', priority: 1 }, place)).toMatchObject({
    ok: false,
    failure: { problem: 'decision must be "allow", "ask_user" or "deny"' },
  });
});
