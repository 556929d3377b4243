import type { IncomingMessage } from 'node:http';
import { oneLine } from '@countersign/protocol';
import type { z } from 'zod';
import { NUMBER_FIELDS, type Operation } from '../contract/operation.js';
import { operations } from '../contract/operations.js';
import { Refusal } from '../contract/problems.js';
import type { OperationName } from '../contract/routes.js';
import type { ServerLimits } from '../http/limits.js';
import { readBody } from '../http/read-body.js';
import type { Asked } from './handler.js';

/** Reads a request and validates it. Throws a `Refusal`. */
export async function readInput<N extends OperationName>(
  name: N,
  request: IncomingMessage,
  {
    parameters,
    search,
  }: { readonly parameters: { readonly [name: string]: string }; readonly search: URLSearchParams },
  limits: ServerLimits,
): Promise<Input<N>> {
  const operation: Operation = operations[name];
  const query = checked(operation.query, queryValue(search), 'in the query');
  const body = operation.body && (await readContent(request, operation.body, operation.bodySize, limits));
  // Each was validated by the schema, or found in the path, of this operation, from which the types are made.
  return { parameters, query, body } as Input<N>;
}

type Input<N extends OperationName> = Pick<Asked<N>, 'parameters' | 'query' | 'body'>;

async function readContent(
  request: IncomingMessage,
  schema: z.ZodType,
  bodySize: Operation['bodySize'],
  { contentBytesMax, bodyBytesMax }: ServerLimits,
): Promise<unknown> {
  const { value, bytes } = await readBody(request, bodySize === 'content' ? contentBytesMax : bodyBytesMax);
  const body = checked(schema, value, 'in the body');
  // The larger limit is for content only.
  if (bytes > bodyBytesMax && !carriesContent(body))
    throw new Refusal({ code: 'body_too_large', bytesMax: bodyBytesMax });
  return body;
}

function queryValue(search: URLSearchParams): { readonly [name: string]: string | number | string[] } {
  const value = (name: string) => {
    const values = search.getAll(name);
    const [text = ''] = values;
    // Given twice it is a list, which no field takes.
    if (values.length > 1) return values;
    return NUMBER_FIELDS.includes(name) && /^\d{1,15}$/.test(text) ? Number(text) : text;
  };
  return Object.fromEntries(Array.from(new Set(search.keys()), (name) => [name, value(name)]));
}

function checked(schema: z.ZodType, value: unknown, where: string): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new Refusal({ code: 'invalid_input', problems: problemsOf(parsed.error, where) });
}

/** More are not read. */
const PROBLEMS_MAX = 5;

/** What was given is not repeated: it may be a secret. */
const problemsOf = (error: z.ZodError, where: string): readonly string[] =>
  error.issues
    .slice(0, PROBLEMS_MAX)
    .map(
      ({ path, message }) =>
        `${path.length > 0 ? oneLine(path.map(String).join('.')) : 'all'} ${where}: ${oneLine(message)}`,
    );

function carriesContent(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  if ('text' in body || 'parts' in body || 'calls' in body) return true;
  const payload = 'payload' in body ? body.payload : null;
  if (typeof payload !== 'object' || payload === null) return false;
  return 'newContent' in payload || 'args' in payload || 'answers' in payload || 'feedback' in payload;
}
