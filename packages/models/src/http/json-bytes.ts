import type { Json, JsonObject } from '@countersign/protocol';
import { wellFormedJson } from './well-formed-json.js';

/** `body.contents[].parts[]` and `body.tools[].functionDeclarations[]`: what each request says again as it was. */
const LASTING_DEPTH = 4;

/**
 * A body as it goes over the wire. A conversation is sent whole with every request; of its parts, which are never
 * changed, each is spelled out once. As bytes, since Node takes several times as long to send a text.
 */
export function jsonBytes(body: JsonObject): Uint8Array {
  const pieces: Uint8Array[] = [];
  let text = '';
  const put = (value: Json, depth: number): void => {
    if (Array.isArray(value)) {
      text += '[';
      value.forEach((item: Json, index) => {
        if (index > 0) text += ',';
        put(item, depth + 1);
      });
      text += ']';
    } else if (!isObject(value)) {
      text += wellFormedJson(value);
    } else if (depth < LASTING_DEPTH) {
      text += '{';
      let isFirst = true;
      for (const [key, member] of Object.entries(value)) {
        if (member === undefined) continue;
        text += `${isFirst ? '' : ','}${wellFormedJson(key)}:`;
        isFirst = false;
        put(member, depth + 1);
      }
      text += '}';
    } else {
      pieces.push(Buffer.from(text), lastingBytes(value));
      text = '';
    }
  };
  put(body, 0);
  return Buffer.concat([...pieces, Buffer.from(text)]);
}

const isObject = (value: Json): value is JsonObject => typeof value === 'object' && value !== null;

const spelledOut = new WeakMap<JsonObject, Uint8Array>();

function lastingBytes(value: JsonObject): Uint8Array {
  let bytes = spelledOut.get(value);
  if (!bytes) {
    bytes = Buffer.from(wellFormedJson(value));
    spelledOut.set(value, bytes);
  }
  return bytes;
}
