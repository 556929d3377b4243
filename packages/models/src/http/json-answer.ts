import type { JsonObject } from '@countersign/protocol';

import type { HttpCall } from './call.js';
import { nonsense } from './events.js';
import { exchange } from './exchange.js';
import { objectOf, parseJson } from './read-json.js';

/** An answer that comes as one JSON object. */
export async function requestJson(call: HttpCall, signal: AbortSignal): Promise<JsonObject> {
  const chunks: Uint8Array[] = [];
  for await (const bytes of exchange(call, signal)) chunks.push(bytes);
  const text = Buffer.concat(chunks).toString('utf8');
  const answer = objectOf(parseJson(text));
  if (answer === undefined) throw nonsense(call, 'the response is not a JSON object', text);
  return answer;
}
