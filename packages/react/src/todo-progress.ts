import type { CallItem } from '@countersign/client';
import type { Json, JsonObject } from '@countersign/protocol';

/** A step of the work, as the agent lists it. */
export type Todo = { readonly description: string; readonly status: string };

/** What an agent says of its own work, by `update_topic` and `write_todos`. */
export type Agenda = { readonly topic: string | null; readonly todos: readonly Todo[] };

export const NO_AGENDA: Agenda = { topic: null, todos: [] };

/** The agenda once a call is over; the same object if it says nothing of it. */
export function agendaAfter(agenda: Agenda, { call }: CallItem): Agenda {
  if (call.status !== 'success' || !isObject(call.result.returnDisplay)) return agenda;
  const { topic, todos } = call.result.returnDisplay;
  if (call.request.name === 'update_topic' && isObject(topic)) {
    const { title, strategic_intent: intent } = topic;
    const said = typeof title === 'string' && title !== '' ? title : intent;
    return typeof said === 'string' ? { ...agenda, topic: said } : agenda;
  }
  if (call.request.name !== 'write_todos' || !Array.isArray(todos)) return agenda;
  return { ...agenda, todos: todos.filter(isObject).flatMap(todoOf) };
}

const todoOf = ({ description, status }: JsonObject): readonly Todo[] =>
  typeof description === 'string' && typeof status === 'string' ? [{ description, status }] : [];

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
