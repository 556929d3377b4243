import type { UnrunCall } from '@countersign/engine';
import { COMMAND_TOOL } from '@countersign/kernel';
import type { Json, JsonObject } from '@countersign/protocol';
import { usage } from '../io/failure-text.js';
import { isObject } from '../io/json-lines.js';

/** A call to be judged, as a script writes it. */
export type AskedCall = Omit<UnrunCall, 'mode' | 'origin'> & {
  /** Any value; it is returned with the result. */
  readonly id?: Json;
  /** Rules that replace those in files for this call; null if none are given. */
  readonly rules: readonly JsonObject[] | null;
};

export type ReadCall =
  | { readonly ok: true; readonly call: AskedCall }
  | { readonly ok: false; readonly id?: Json; readonly problem: string };

const KEYS = [
  'id',
  'tool',
  'name',
  'args',
  'interactive',
  'policy',
  'mcpName',
  'toolAnnotations',
  'subagent',
];

/** `{"id", "tool" | "name", "args", "interactive"?, "policy"?}`, and the other fields that rules can match. */
export function readCall(value: unknown, attended = true): ReadCall {
  if (!isObject(value)) return { ok: false, problem: 'a call is an object with "tool" and "args"' };
  const id = 'id' in value ? { id: value['id'] } : {};
  const problem = problemWith(value);
  if (problem !== null) return { ok: false, ...id, problem };
  const { tool, name, args, interactive, policy, mcpName, toolAnnotations, subagent } = value;
  return {
    ok: true,
    call: {
      ...id,
      tool: textIn(tool ?? name) ?? '',
      args: objectIn(args) ?? {},
      attended: typeof interactive === 'boolean' ? interactive : attended,
      rules: isRules(policy) ? policy : null,
      mcpServer: textIn(mcpName),
      annotations: objectIn(toolAnnotations),
      subagent: textIn(subagent),
    },
  };
}

/** `check TOOL ARGUMENTS`, `check CALL` as JSON, or `check COMMAND` as for a shell. */
export function callFromWords(words: readonly string[]): unknown {
  const [first = '', second, ...more] = words;
  if (more.length > 0)
    throw usage(
      'A command line is one argument',
      `put it in quotes, as in countersign policy check 'git push origin'`,
    );
  if (second !== undefined) {
    const args = parsed(second);
    if (isObject(args)) return { tool: first, args };
    throw usage(
      `The arguments of ${first} are not a JSON object: ${second}`,
      `countersign policy check ${COMMAND_TOOL} '{"command":"git push"}', or 'git push' in quotes`,
    );
  }
  const call = parsed(first);
  return isObject(call) ? call : { tool: COMMAND_TOOL, args: { command: first } };
}

function problemWith(value: { readonly [key: string]: Json }): string | null {
  const unknown = Object.keys(value).filter((key) => !KEYS.includes(key));
  if (unknown.length > 0) return `"${unknown.join('", "')}" is not known (known: ${KEYS.join(', ')})`;
  const { tool, name, args, interactive, policy, toolAnnotations } = value;
  if (tool !== undefined && name !== undefined && tool !== name)
    return '"tool" and "name" mean the same and must not differ';
  if (textIn(tool ?? name) === null) return '"tool" must be the name of a tool';
  for (const key of ['mcpName', 'subagent'])
    if (value[key] !== undefined && textIn(value[key]) === null) return `"${key}" must be a name`;
  for (const [key, part] of Object.entries({ args, toolAnnotations }))
    if (part !== undefined && objectIn(part) === null) return `"${key}" must be an object`;
  if (interactive !== undefined && typeof interactive !== 'boolean')
    return '"interactive" must be true or false';
  if (policy !== undefined && !isRules(policy)) return '"policy" must be a list of rules, each an object';
  return null;
}

const objectIn = (value: Json | undefined): JsonObject | null => (isObject(value) ? value : null);
const textIn = (value: Json | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : null;
const isRules = (value: unknown): value is readonly JsonObject[] =>
  Array.isArray(value) && value.every(isObject);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
