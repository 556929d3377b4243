import type { JsonObject } from '@countersign/protocol';

export type ReadArgs =
  | { readonly args: JsonObject; readonly problem: null }
  | { readonly args: null; readonly problem: string };

/** Arguments as the user types them, or what is wrong with them. */
export function readArgs(text: string): ReadArgs {
  try {
    const args: unknown = JSON.parse(text);
    if (isJsonObject(args)) return { args, problem: null };
    return { args: null, problem: 'Arguments are an object, in braces.' };
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : '';
    return { args: null, problem: `This is not valid JSON yet: ${why}` };
  }
}

/** The result of `JSON.parse` contains nothing but JSON. */
const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
