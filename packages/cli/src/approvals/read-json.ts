import { isJsonObject } from '@countersign/host';
import type { Json, JsonObject } from '@countersign/protocol';
import { messageOf, usage } from '../io/failure-text.js';

/** The value of an option that is JSON. */
export function readJson(option: string, text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (thrown) {
    throw usage(`${option} is not JSON: ${messageOf(thrown)}`, `${option} '…', in quotes of the shell`);
  }
}

export function readJsonObject(option: string, text: string): JsonObject {
  const value = readJson(option, text);
  if (!isJsonObject(value)) throw usage(`${option} is not a JSON object`, `${option} '{"name": "value"}'`);
  return value;
}
