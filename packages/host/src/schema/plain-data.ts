import type { Json } from '@countersign/protocol';

export type PlainData =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly problem: string };

/** Deeper than any tool's arguments. A validator, and JSON itself, needs a stack as deep. */
const DEPTH_MAX = 200;

/**
 * A copy that is exactly what JSON would carry: members that are undefined are
 * omitted. A value that JSON cannot carry is a problem, found without following it.
 */
export function plainData(given: unknown): PlainData {
  try {
    return { ok: true, value: copyOf(given, []) };
  } catch (error) {
    if (error instanceof NotPlain) return { ok: false, problem: error.message };
    throw error;
  }
}

class NotPlain extends Error {}

function copyOf(value: unknown, within: readonly object[]): Json {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'number':
      return value;
    case 'undefined':
      return null;
    case 'object':
      return value === null ? null : copyOfObject(value, within);
    case 'function':
    case 'symbol':
    case 'bigint':
      throw new NotPlain(`they hold a ${typeof value}, and only plain data can be sent to a tool`);
  }
}

function copyOfObject(value: object, within: readonly object[]): Json {
  if (within.includes(value))
    throw new NotPlain('they refer to themselves, and only plain data can be sent to a tool');
  if (within.length >= DEPTH_MAX) throw new NotPlain(`they are nested deeper than ${DEPTH_MAX} levels`);
  const inside = [...within, value];
  if (Array.isArray(value)) return value.map((item: unknown) => copyOf(item, inside));
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([key, member]) => [key, copyOf(member, inside)]));
}
