import type { Tool } from '@countersign/engine';
import { onOneLine } from '@countersign/host';
import * as z from 'zod';
import { defineTool } from '../define-tool/define-tool.js';

const TODOS_MAX = 100; // a longer list is not read, and comes again with every change

const todo = z.strictObject({
  description: z
    .string()
    .refine((text) => text.trim() !== '', { message: 'a "description" must not be empty' })
    .describe('The task of this step.'),
  status: z.enum(['pending', 'in_progress', 'completed', 'cancelled', 'blocked']),
});
type Todo = z.output<typeof todo>;

export const writeTodos: Tool = defineTool({
  name: 'write_todos',
  displayName: 'Write todos',
  description:
    'Keep a list of steps for work that has several. Send the whole list each time: it replaces the previous one. At most one step is in_progress; mark it completed as soon as it is done.',
  kind: 'think',
  input: () =>
    z.strictObject({
      todos: z
        .array(todo)
        .max(TODOS_MAX)
        .superRefine((todos, context) => {
          const count = todos.filter(({ status }) => status === 'in_progress').length;
          if (count > 1) context.addIssue(`at most one of "todos" may be in_progress, not ${count}`);
        })
        .describe('All steps, in order.'),
    }),
  plan: ({ todos }) => ({
    title: `Todos: ${summaryOf(todos)}`,
    resources: [],
    repeat: 'safe',
    byDefault: 'allow',
  }),
  run: ({ todos }) => ({
    llmContent:
      todos.length === 0
        ? 'The todo list is now empty.'
        : ['The todo list is now:', ...todos.map(numbered)].join('\n'),
    returnDisplay: { todos },
  }),
});

const numbered = ({ description, status }: Todo, at: number): string =>
  `${at + 1}. [${status}] ${onOneLine(description)}`;

function summaryOf(todos: readonly Todo[]): string {
  const done = todos.filter(({ status }) => status === 'completed').length;
  return todos.length === 0 ? 'none' : `${done} of ${todos.length} completed`;
}
