import type { Json, JsonObject } from '@countersign/protocol';

/** Reading what came over a wire: each gives the value if it is of that kind, and otherwise nothing. */
export const objectOf = (value: Json | undefined): JsonObject | undefined =>
  typeof value === 'object' && value !== null && !isList(value) ? value : undefined;

export const listOf = (value: Json | undefined): readonly Json[] =>
  value !== undefined && isList(value) ? value : [];

export const textOf = (value: Json | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

export const numberOf = (value: Json | undefined): number | undefined =>
  typeof value === 'number' ? value : undefined;

/** The value of a JSON text; undefined if it is none. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** `Array.isArray` does not narrow read-only lists. */
const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
