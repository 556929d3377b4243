import type { CallItem } from '@countersign/client';
import type { Json, JsonObject } from '@countersign/protocol';

/**
 * A step of the agent's to-do list.
 *
 * @example
 * ```ts
 * const line = ({ description, status }: Todo) => `${status}: ${description}`;
 * ```
 */
export type Todo = { readonly description: string; readonly status: string };

/**
 * The agent's own topic and to-do list, from `update_topic` and `write_todos`.
 *
 * @example
 * ```ts
 * const done = ({ todos }: Agenda) => todos.filter(({ status }) => status === 'completed').length;
 * ```
 */
export type Agenda = { readonly topic: string | null; readonly todos: readonly Todo[] };

export const NO_AGENDA: Agenda = { topic: null, todos: [] };

/** The agenda after a call has ended; the same object if the call did not change it. */
export function agendaAfter(agenda: Agenda, { call }: CallItem): Agenda {
  if (call.status !== 'success' || !isObject(call.result.returnDisplay)) return agenda;
  const { topic, todos } = call.result.returnDisplay;
  if (call.request.name === 'update_topic' && isObject(topic)) {
    const { title, strategic_intent: intent } = topic;
    const text = typeof title === 'string' && title !== '' ? title : intent;
    return typeof text === 'string' ? { ...agenda, topic: text } : agenda;
  }
  if (call.request.name !== 'write_todos' || !Array.isArray(todos)) return agenda;
  return { ...agenda, todos: todos.filter(isObject).flatMap(todoOf) };
}

const todoOf = ({ description, status }: JsonObject): readonly Todo[] =>
  typeof description === 'string' && typeof status === 'string' ? [{ description, status }] : [];

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
