import type { PlanEntry } from '@agentclientprotocol/sdk';
import type { Json, JsonObject } from '@countersign/protocol';

/** The list that `write_todos` leaves, as a plan; null if this is none. What was given up is no part of it. */
export function planEntries(display: Json): PlanEntry[] | null {
  if (!isObject(display) || !Array.isArray(display['todos'])) return null;
  const todos: readonly Json[] = display['todos'];
  return todos.flatMap((todo): PlanEntry[] => {
    if (!isObject(todo) || typeof todo['description'] !== 'string') return [];
    const { description: content, status } = todo;
    if (status === 'cancelled') return [];
    // Ours have no priorities, and the protocol has no word for what is blocked.
    const known = status === 'in_progress' || status === 'completed' ? status : 'pending';
    return [{ content, priority: 'medium', status: known }];
  });
}

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
