import type { FunctionDeclaration } from '@countersign/engine';
import { isJsonObject, normalSchema } from '@countersign/host';
import { type Json, type JsonObject, KINDS } from '@countersign/protocol';
import { SchemaValidator } from '../schema/schema-validator.js';
import type { Kind } from '../types/enums.js';
import type { PlainInvocation, PlainTool } from '../types/tool-types.js';

/** The declaration of a plain tool for models. */
export function declarationOf({ name, description, schema }: PlainTool<object>): FunctionDeclaration {
  return { name, description, parametersJsonSchema: parametersOf(schema) };
}

/** Makes an invocation, as the class style has it, of a plain tool. Throws if the parameters are wrong. */
export function buildPlain(tool: PlainTool<object>, params: object): PlainInvocation {
  const problem =
    SchemaValidator.validate(tool.schema && parametersOf(tool.schema), params, tool.name) ??
    tool.validateToolParams?.(params) ??
    null;
  if (problem !== null) throw new Error(problem);
  return {
    params,
    getDescription: () => tool.getDescription?.(params) ?? describe(tool, params),
    toolLocations: () => tool.toolLocations?.(params) ?? [],
    execute: (signal, updateOutput) => tool.execute(params, signal, updateOutput),
    ...(tool.resources && { resources: () => tool.resources?.(params) ?? [] }),
    ...(tool.shouldConfirmExecute && {
      shouldConfirmExecute: async (signal, forcedDecision) =>
        (await tool.shouldConfirmExecute?.(params, signal, forcedDecision)) ?? false,
    }),
  };
}

const DESCRIPTION_CHARS_MAX = 200; // a title, not a listing

/** A line about a call, for a tool that has no words of its own for it. */
export function describe(
  { name, displayName = name }: Pick<PlainTool, 'name' | 'displayName'>,
  params: object,
): string {
  const text = JSON.stringify(params);
  return `${displayName} ${text.length > DESCRIPTION_CHARS_MAX ? `${text.slice(0, DESCRIPTION_CHARS_MAX)}…` : text}`;
}

const NO_PARAMETERS: JsonObject = { type: 'object', properties: {} };

/** A schema, or the one inside a Gemini function declaration. */
function parametersOf(schema: JsonObject | undefined): JsonObject {
  if (schema === undefined) return NO_PARAMETERS;
  const isSchema = ['type', 'properties', 'anyOf', 'oneOf', 'allOf', '$ref'].some((key) =>
    Object.hasOwn(schema, key),
  );
  if (isSchema) return normalSchema(schema);
  const inner: Json | undefined = schema['parametersJsonSchema'] ?? schema['parameters'];
  return isJsonObject(inner) ? normalSchema(inner) : NO_PARAMETERS;
}

/** What JavaScript programs write may be anything; what is no kind counts as one that is not known. */
export const kindOf = (kind: Kind | undefined): Kind =>
  kind !== undefined && KINDS.includes(kind) ? kind : 'other';
