import type { Json } from '@countersign/protocol';

/**
 * JSON that every server parses. Half a character, as a cut through a text leaves it, is valid to JavaScript and to few
 * others: one in the history would have every later request rejected.
 */
export function wellFormedJson(value: Json): string {
  const text = JSON.stringify(value);
  // Only halves are written as escapes, so most texts are done with a look.
  if (!text.includes('\\ud')) return text;
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'string' ? member.replace(/\p{Surrogate}/gu, '\ufffd') : member,
  );
}
