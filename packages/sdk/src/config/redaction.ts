import { isJsonList, isJsonObject } from '@countersign/host';
import type { Json, JsonObject } from '@countersign/protocol';

/** Whether a value in a call's arguments must not be recorded. `path` leads to it from the top. */
export type RedactionRule = (key: string, value: Json, path: readonly string[]) => boolean;

const HIDDEN = '[redacted]';
/** Arguments nested deeper than this carry nothing a record needs, and must not exhaust the stack. */
const DEPTH_MAX = 64;
/** Looked for in a key's letters and digits, lower-cased, so that `api_key`, `apiKey` and `X-API-Key` are one. */
const SECRET_KEY =
  /passw|passphrase|passcode|^pwd$|secret|tokens?$|apikey|accesskey|privatekey|signingkey|credential|authorization|^auth$|cookie|bearer/;
const TOKEN_KEY = /tokens?$/;
/** In lists of pairs the key is itself a value: `{ name: 'Authorization', value: '…' }`. */
const NAMING_KEYS = ['name', 'key'];

/** The default rule: hides values under keys that look secret (`password`, `api_key` …). */
export const looksSecret: RedactionRule = (key, value) => {
  const plainKey = key.toLowerCase().replace(/[^a-z0-9]/g, '');
  if (!SECRET_KEY.test(plainKey)) return false;
  // A number of tokens is a count, as in `max_tokens`; a number under any other such key may be a secret.
  return !(typeof value === 'number' && TOKEN_KEY.test(plainKey));
};

/** A copy of the arguments that may be recorded. A rule of one's own can hide more, never less. */
export function redactArgs(args: JsonObject, alsoSecret?: RedactionRule): JsonObject {
  return redactMembers(args, [], alsoSecret ? either(looksSecret, alsoSecret) : looksSecret);
}

function redactMembers(object: JsonObject, path: readonly string[], isSecret: RedactionRule): JsonObject {
  const named = NAMING_KEYS.map((key) => object[key]).find((name) => typeof name === 'string');
  const members = Object.entries(object).map(([key, value]): [string, Json] => {
    const hidden = key === 'value' && named !== undefined && looksSecret(named, value, path);
    return [key, hidden ? HIDDEN : redactValue(key, value, [...path, key], isSecret)];
  });
  return Object.fromEntries(members);
}

function redactValue(key: string, value: Json, path: readonly string[], isSecret: RedactionRule): Json {
  if (path.length > DEPTH_MAX || isSecret(key, value, path)) return HIDDEN;
  if (isJsonList(value)) return value.map((item, at) => redactValue(key, item, [...path, `${at}`], isSecret));
  return isJsonObject(value) ? redactMembers(value, path, isSecret) : value;
}

/** A rule that throws hides the value: what is recorded cannot be taken back. */
const either =
  (first: RedactionRule, second: RedactionRule): RedactionRule =>
  (...given) => {
    try {
      return first(...given) || second(...given);
    } catch {
      return true;
    }
  };
