import type { Json, JsonObject } from '@countersign/protocol';
import { objectOf } from '../http/read-json.js';

/** The fields of an item that come in pieces; of all others the last word counts. */
const GROWING_FIELDS = ['text', 'summary', 'data'];

/**
 * The reasoning items that OpenRouter and its likes stream beside the thinking in plain text. They hold signatures and
 * encrypted thoughts, so the server wants them back item by item as they were.
 */
export class ReasoningDetails {
  readonly all: JsonObject[] = [];

  add(pieces: readonly Json[]): void {
    for (const value of pieces) {
      const piece = objectOf(value);
      if (!piece) continue;
      const last = this.all.at(-1);
      const continues = last && last.type === piece.type && last.index === piece.index;
      if (continues) this.all[this.all.length - 1] = grown(last, piece);
      else this.all.push(piece);
    }
  }
}

function grown(item: JsonObject, piece: JsonObject): JsonObject {
  const result: { [field: string]: Json } = { ...item };
  for (const [field, added] of Object.entries(piece)) {
    const before = item[field];
    const grows = GROWING_FIELDS.includes(field) && typeof before === 'string' && typeof added === 'string';
    if (added !== null) result[field] = grows ? before + added : added;
  }
  return result;
}
