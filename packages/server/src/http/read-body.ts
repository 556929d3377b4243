import type { IncomingMessage } from 'node:http';
import { Refusal } from '../problems.js';

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
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    throw refused('the body is not JSON in UTF-8');
  }
  const problem = structureProblem(value);
  if (problem !== null) throw refused(problem);
  return value;
}

function structureProblem(value: unknown): string | null {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEPTH_MAX) return `the body is nested more than ${DEPTH_MAX} deep`;
    const below: unknown[] = [];
    for (const each of level) {
      if (typeof each !== 'object' || each === null) continue;
      // In a parsed value it is a plain property, but whoever copies the value would change a prototype.
      if (Object.hasOwn(each, '__proto__')) return 'a property is named __proto__';
      for (const member of Object.values(each)) if (typeof member === 'object') below.push(member);
    }
    level = below;
  }
  return null;
}
