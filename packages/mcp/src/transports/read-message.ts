import type { JSONRPCMessage } from '@modelcontextprotocol/client';

/**
 * Codes of answers that we make ourselves where a server's own cannot be used: the waiting request then ends.
 * They lie outside of what JSON-RPC and MCP use.
 */
export const UNUSABLE_ANSWER = -31_901;

/** Whether a line is meant to be a message: what servers print by mistake hardly ever looks like one. */
export const looksLikeMessage = (line: string): boolean => /^\s*[{[]/.test(line);

/** What a line says; empty if it is no message at all. */
export function readMessages(line: string): readonly JSONRPCMessage[] {
  let value: unknown;
  try {
    value = JSON.parse(line.charCodeAt(0) === BYTE_ORDER_MARK ? line.slice(1) : line);
  } catch {
    return [];
  }
  if (isMessage(value)) return [value];
  // Servers of 2025-03 may send several at once.
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.flatMap((each) => (isMessage(each) ? each : (asFailure(each) ?? [])));
}

const BYTE_ORDER_MARK = 0xfeff;

export const unusableAnswer = (id: number | string, why: string): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  error: { code: UNUSABLE_ANSWER, message: why },
});

/** The answer to the request that a line too long to be read belongs to; null if its edges do not show the id. */
export function answerTooLong(beginning: string, end: string, bytesMax: number): JSONRPCMessage | null {
  const id = ID_FIRST.exec(beginning)?.[1] ?? ID_LAST.exec(end)?.[1];
  if (id === undefined) return null;
  return unusableAnswer(Number(id), `its response has more than ${bytesMax.toLocaleString('en')} bytes`);
}

// No text inside of JSON holds a bare quote, and what is nested ends with more than one brace.
const ID_FIRST = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+)\s*,/;
const ID_LAST = /,\s*"id"\s*:\s*(\d+)\s*\}\s*$/;

/** What answers a request, but not as an answer may look, becomes a failure of that request. */
function asFailure(value: unknown): JSONRPCMessage | null {
  if (!isObject(value) || 'method' in value || !('id' in value) || !isId(value.id)) return null;
  const both = 'result' in value && 'error' in value;
  return unusableAnswer(
    value.id,
    both ? 'its response has both a result and an error' : 'its response has neither a result nor an error',
  );
}

/** The recipient checks the line again: this only distinguishes the kinds. */
function isMessage(value: unknown): value is JSONRPCMessage {
  if (!isObject(value) || !('jsonrpc' in value) || value.jsonrpc !== '2.0') return false;
  if ('method' in value)
    return typeof value.method === 'string' && (!('id' in value) || isId(value.id)) && hasPlainParams(value);
  if (!('id' in value) || !isId(value.id)) return false;
  if ('result' in value) return !('error' in value) && isObject(value.result) && !Array.isArray(value.result);
  return 'error' in value && isError(value.error);
}

const hasPlainParams = (value: object): boolean =>
  !('params' in value) || (isObject(value.params) && !Array.isArray(value.params));

const isError = (value: unknown): boolean =>
  isObject(value) &&
  'code' in value &&
  Number.isSafeInteger(value.code) &&
  'message' in value &&
  typeof value.message === 'string';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isId = (value: unknown): value is number | string =>
  typeof value === 'string' || Number.isSafeInteger(value);
