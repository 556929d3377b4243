import type { JsonObject, ToolResult } from '@countersign/protocol';

export type Plain<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string };

/** A copy that shares nothing with its source and can be stored: what is hashed and journaled is what is used. */
export function plainObject(value: unknown): Plain<JsonObject> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, problem: `an object was expected, not ${nameOf(value)}` };
  }
  return throughJson(value as JsonObject);
}

export function plainResult(value: unknown): Plain<ToolResult> {
  if (typeof value !== 'object' || value === null || !('llmContent' in value)) {
    return { ok: false, problem: `an object with llmContent was expected, not ${nameOf(value)}` };
  }
  const { llmContent } = value;
  const returnDisplay = 'returnDisplay' in value ? value.returnDisplay : llmContent;
  if (typeof llmContent === 'string' && typeof returnDisplay === 'string') {
    return { ok: true, value: { llmContent, returnDisplay } };
  }
  if (llmContent === undefined || llmContent === null) return { ok: false, problem: 'llmContent is missing' };
  return throughJson({ llmContent, returnDisplay: returnDisplay ?? '' } as ToolResult);
}

/** What somebody threw, in words: it may be anything, even something that cannot be turned into text. */
export function wordsOf(thrown: unknown): string {
  try {
    if (thrown instanceof Error) return thrown.message || thrown.name;
    return typeof thrown === 'string' ? thrown : (JSON.stringify(thrown) ?? String(thrown));
  } catch {
    return 'something that cannot be put into words';
  }
}

/** Promises of other libraries and realms count too. */
export const isThenable = <T>(value: T | PromiseLike<T>): value is PromiseLike<T> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';

function throughJson<T>(value: T): Plain<T> {
  try {
    const text = JSON.stringify(value);
    if (text === undefined) return { ok: false, problem: 'it is not plain data' };
    return { ok: true, value: JSON.parse(text) as T };
  } catch (error) {
    return { ok: false, problem: wordsOf(error) };
  }
}

const nameOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value);
