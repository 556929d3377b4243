import type { JsonObject } from '@countersign/protocol';

/** Arguments as somebody types them, or what is wrong with them. */
export function readJsonObject(text: string): JsonObject | NotAnObject {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : new NotAnObject('Arguments are an object, in braces.');
  } catch (thrown) {
    return new NotAnObject(`This is not valid JSON yet: ${thrown instanceof Error ? thrown.message : ''}`);
  }
}

class NotAnObject {
  constructor(readonly problem: string) {}
}

/** What came out of JSON holds nothing but JSON. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NotAnObject);
