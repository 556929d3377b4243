import type { JsonObject } from '@countersign/protocol';

/** A member that should be text; empty if it is not there, or is something else. */
export function textIn(holder: JsonObject, key: string): string {
  const value = holder[key];
  return typeof value === 'string' ? value : '';
}
