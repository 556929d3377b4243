import type { JsonObject } from '@countersign/protocol';
import { objectOf, parseJson } from '../http/read-json.js';

export type Arguments =
  | { readonly ok: true; readonly args: JsonObject }
  | { readonly ok: false; readonly problem: string };

/** So much of broken arguments is quoted to the model: enough to recognise them, little enough not to fill its window. */
const QUOTED_CHARACTERS_MAX = 200;

/** A call's arguments as the model wrote them. Nothing written means none: models say so for functions without any. */
export function readArguments(written: string): Arguments {
  if (written.trim() === '') return { ok: true, args: {} };
  const value = parseJson(written);
  if (value === undefined) {
    return {
      ok: false,
      problem: `The arguments are not valid JSON (${syntaxErrorOf(written)}): ${quoted(written)}`,
    };
  }
  const args = value === null ? {} : objectOf(value);
  if (args) return { ok: true, args };
  return { ok: false, problem: `The arguments are JSON, but not an object: ${quoted(written)}` };
}

/** The answer ended, by its limit of length, while this was being written. */
export const cutOffArguments = (written: string): Arguments => ({
  ok: false,
  problem: `The response reached its length limit before the arguments were complete: ${quoted(written)}`,
});

function syntaxErrorOf(written: string): string {
  try {
    JSON.parse(written);
    return 'unknown';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function quoted(written: string): string {
  if (written.length <= QUOTED_CHARACTERS_MAX) return written || '(nothing)';
  // Half a character, which a cut may leave, is one that no wire takes.
  const head = written.slice(0, QUOTED_CHARACTERS_MAX).replace(/[\ud800-\udbff]$/, '');
  return `${head} … (${written.length} characters)`;
}
