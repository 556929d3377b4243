import type { IncomingMessage } from 'node:http';
import { JSON_PARTS_MAX, textShapeProblem } from '@countersign/protocol';
import { Refusal } from '../contract/problems.js';

/** Deeper than anything a person or model writes; what walks a value may do so by recursion. */
const DEPTH_MAX = 32;

/** With nothing beside it, or with the one character set that JSON has. */
const JSON_TYPE = /^\s*application\/json\s*(;\s*charset=("utf-8"|utf-8)\s*)?;?\s*$/i;

export type ReadBody = { readonly value: unknown; readonly bytes: number };

/** The JSON that a request carries. Throws a `Refusal`. */
export async function readBody(request: IncomingMessage, bytesMax: number): Promise<ReadBody> {
  const { headers } = request;
  if (!JSON_TYPE.test(headers['content-type'] ?? '') || headers['content-encoding'] !== undefined)
    throw new Refusal({ code: 'not_json' });
  if (Number(headers['content-length'] ?? 0) > bytesMax)
    throw new Refusal({ code: 'body_too_large', bytesMax });
  const bytes = await readBytes(request, bytesMax);
  return { value: parse(bytes), bytes: bytes.length };
}

async function readBytes(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request) {
      if (!Buffer.isBuffer(chunk)) continue;
      length += chunk.length;
      if (length > bytesMax) throw new Refusal({ code: 'body_too_large', bytesMax });
      chunks.push(chunk);
    }
  } catch (thrown) {
    if (thrown instanceof Refusal) throw thrown;
    throw new Refusal({ code: 'malformed_request', problem: 'the body ended early' });
  }
  return Buffer.concat(chunks);
}

function parse(bytes: Buffer): unknown {
  const refused = (problem: string) => new Refusal({ code: 'malformed_request', problem });
  const text = decode(bytes);
  if (text === null) throw refused(NOT_JSON);
  // Before it is parsed: to build a value of a million keys takes as long as any other work on it.
  const problem = textShapeProblem(text, { partsMax: JSON_PARTS_MAX, depthMax: DEPTH_MAX });
  if (problem !== null) throw refused(`the body is too large: ${problem}`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refused(NOT_JSON);
  }
  if (hasPrototypeKey(value)) throw refused('a property is named __proto__');
  return value;
}

const NOT_JSON = 'the body is not JSON in UTF-8';

function decode(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** In a parsed value it is a plain property, but code that copies the value would change a prototype. */
function hasPrototypeKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasPrototypeKey);
}
