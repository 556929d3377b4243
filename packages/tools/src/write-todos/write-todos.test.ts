import type { JsonObject } from '@countersign/protocol';
import { expect, test } from 'vitest';
import { carryOut } from '../testing/carry-out.js';
import { writeTodos } from './write-todos.js';

const write = (...todos: JsonObject[]) => carryOut(writeTodos, { todos }, { workspace: '/ws' });

test('the list is given to the model as text and to front ends as data, and touches nothing [T3]', async () => {
  const todos = [
    { description: 'Read', status: 'completed' },
    { description: 'Write\nit', status: 'in_progress' },
    { description: 'Test', status: 'blocked' },
  ];
  const { plan, result } = await write(...todos);
  expect(plan).toMatchObject({ title: 'Todos: 1 of 3 completed', resources: [], byDefault: 'allow' });
  expect(result).toEqual({
    llmContent:
      'The todo list is now:\n1. [completed] Read\n2. [in_progress] "Write\\nit"\n3. [blocked] Test',
    returnDisplay: { todos },
  });
});

test('an empty list clears it', async () => {
  const { result } = await write();
  expect(result).toEqual({ llmContent: 'The todo list is now empty.', returnDisplay: { todos: [] } });
});

test.each<[string, JsonObject[], RegExp]>([
  [
    'two in progress',
    Array.from({ length: 2 }, () => ({ description: 'x', status: 'in_progress' })),
    /at most one of "todos" may be in_progress, not 2/,
  ],
  ['no description', [{ status: 'pending' }], /"todos\[0\].description" is required/],
  ['a blank one', [{ description: ' ', status: 'pending' }], /must not be empty/],
  [
    'an unknown status',
    [{ description: 'x', status: 'done' }],
    /"todos\[0\].status" must be one of "pending"/,
  ],
])('%s is refused', (_, todos, problem) => {
  expect(writeTodos.check({ todos })).toEqual({ ok: false, problems: [expect.stringMatching(problem)] });
});
