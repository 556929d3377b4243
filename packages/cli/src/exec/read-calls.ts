import type { Failure, JsonObject, WantedCall } from '@countersign/protocol';
import { isObject } from '../io/json-lines.js';

export type ReadCalls =
  | { readonly ok: true; readonly calls: readonly WantedCall[] }
  /** `callId`: the id of the invalid call, if it has one. */
  | { readonly ok: false; readonly failure: Failure; readonly callId: string | null };

/** One call or a list of calls, as scripts write them: `{"id"?, "name" | "tool", "args"}`. */
export function readCalls(value: unknown): ReadCalls {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  const calls: WantedCall[] = [];
  for (const [index, one] of values.entries()) {
    const problem = problemWith(one);
    if (problem) return invalid(Array.isArray(value) ? `call ${index + 1}: ${problem}` : problem, one);
    calls.push(readCall(one as JsonObject));
  }
  return { ok: true, calls };
}

const KNOWN = new Set(['id', 'callId', 'name', 'tool', 'args', 'prompt_id']);

function problemWith(value: unknown): string | null {
  if (!isObject(value)) return 'a call is an object with "name" and "args"';
  const unknown = Object.keys(value).filter((key) => !KNOWN.has(key));
  if (unknown.length > 0) return `"${unknown.join('", "')}" is not known (known: ${[...KNOWN].join(', ')})`;
  for (const key of ['id', 'callId', 'name', 'tool', 'prompt_id']) {
    if (value[key] !== undefined && typeof value[key] !== 'string') return `"${key}" must be a string`;
  }
  return value['args'] === undefined || isObject(value['args']) ? null : '"args" must be an object';
}

function readCall(fields: JsonObject): WantedCall {
  const callId = fields['callId'] ?? fields['id'];
  const name = fields['name'] ?? fields['tool'];
  const promptId = fields['prompt_id'];
  return {
    origin: 'client',
    ...(typeof callId === 'string' && { callId }),
    ...(typeof name === 'string' && { name }),
    ...(typeof promptId === 'string' && { promptId }),
    args: (fields['args'] ?? {}) as JsonObject,
  };
}

function invalid(problem: string, call: unknown): ReadCalls {
  const given = isObject(call) ? (call['callId'] ?? call['id']) : null;
  return {
    ok: false,
    failure: { code: 'invalid_request', problem },
    callId: typeof given === 'string' ? given : null,
  };
}
