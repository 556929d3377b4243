import {
  type Failure,
  JSON_DEPTH_MAX,
  JSON_PARTS_MAX,
  type JsonObject,
  partsProblem,
  RESULT_PARTS_MAX,
  ToolFailure,
  type ToolResult,
  textShapeProblem,
} from '@countersign/protocol';

export type Plain<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string };

/** A copy that shares nothing with its source and can be stored: what is hashed and journaled is what is used. */
export function plainObject(value: unknown): Plain<JsonObject> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, problem: `an object was expected, not ${nameOf(value)}` };
  }
  return throughJson(value as JsonObject, JSON_PARTS_MAX);
}

export function plainResult(value: unknown): Plain<ToolResult> {
  if (typeof value !== 'object' || value === null || !('llmContent' in value)) {
    return { ok: false, problem: `an object with llmContent was expected, not ${nameOf(value)}` };
  }
  const { llmContent } = value;
  const { returnDisplay = llmContent } = 'returnDisplay' in value ? value : {};
  const exitCode =
    'exitCode' in value && typeof value.exitCode === 'number' ? { exitCode: value.exitCode } : null;
  const complete =
    'complete' in value && typeof value.complete === 'boolean' ? { complete: value.complete } : null;
  if (typeof llmContent === 'string' && typeof returnDisplay === 'string') {
    return { ok: true, value: { llmContent, returnDisplay, ...exitCode, ...complete } };
  }
  if (llmContent === undefined || llmContent === null) return { ok: false, problem: 'llmContent is missing' };
  return throughJson(
    { llmContent, returnDisplay: returnDisplay ?? '', ...exitCode, ...complete } as ToolResult,
    RESULT_PARTS_MAX,
  );
}

/** A thrown value as text: it may be anything, even something that cannot be printed. */
export function wordsOf(thrown: unknown): string {
  try {
    if (thrown instanceof Error) return thrown.message || thrown.name;
    return typeof thrown === 'string' ? thrown : (JSON.stringify(thrown) ?? String(thrown));
  } catch {
    return 'a value that cannot be printed';
  }
}

/** Promises of other libraries and realms count too. */
export const isThenable = <T>(value: T | PromiseLike<T>): value is PromiseLike<T> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';

/** First the number of parts, since all that follows takes time for each of them. */
function throughJson<T>(value: T, partsMax: number): Plain<T> {
  try {
    const tooMany = partsProblem(value, partsMax);
    if (tooMany !== null) return { ok: false, problem: tooMany };
    const copy = copyByHand(value, 0);
    if (copy !== LEFT_TO_JSON) return { ok: true, value: copy as T };
    const text = JSON.stringify(value);
    if (text === undefined) return { ok: false, problem: 'it is not plain data' };
    const problem = textShapeProblem(text, { partsMax, depthMax: JSON_DEPTH_MAX });
    if (problem !== null) return { ok: false, problem };
    return { ok: true, value: JSON.parse(text) as T };
  } catch (error) {
    return { ok: false, problem: wordsOf(error) };
  }
}

/** JSON says no to what is nested much deeper, and this function would run out of stack before. */
const DEPTH_BY_HAND_MAX = 32;
const LEFT_TO_JSON = Symbol('left to JSON');

/** Gives what a trip through JSON gives, ten times faster, for data that is plain already, as nearly all is. */
function copyByHand(value: unknown, depth: number): unknown {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number')
    return Number.isFinite(value) && !Object.is(value, -0) ? value : LEFT_TO_JSON;
  if (typeof value !== 'object' || depth > DEPTH_BY_HAND_MAX || 'toJSON' in value) return LEFT_TO_JSON;
  return Array.isArray(value) ? copyList(value, depth) : copyMembers(value, depth);
}

function copyList(list: readonly unknown[], depth: number): unknown {
  const copy: unknown[] = [];
  for (const item of list) {
    const copied = copyByHand(item, depth + 1);
    if (copied === LEFT_TO_JSON) return LEFT_TO_JSON;
    copy.push(copied);
  }
  return copy;
}

function copyMembers(object: object, depth: number): unknown {
  // A class may hide what it is made of, and a wrapped string or number is none to JSON.
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) return LEFT_TO_JSON;
  const copy: { [key: string]: unknown } = {};
  for (const [key, member] of Object.entries(object)) {
    const copied = copyByHand(member, depth + 1);
    // Set by hand, this one key would change what the copy inherits.
    if (copied === LEFT_TO_JSON || key === '__proto__') return LEFT_TO_JSON;
    copy[key] = copied;
  }
  return copy;
}

const nameOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value);

/** What a tool threw, as data: its own failure, or its words. */
export function failureThrown(thrown: unknown): Failure {
  return thrown instanceof ToolFailure
    ? thrown.failure
    : { code: 'unhandled_exception', message: wordsOf(thrown) };
}
