import { Validator } from '@cfworker/json-schema';
import {
  describeIssues,
  isJsonObject,
  normalSchema,
  plainData,
  schemaDraft,
  schemaIssues,
} from '@countersign/host';
import type { JsonObject } from '@countersign/protocol';

/**
 * Checks arguments against a JSON Schema, also in the spelling of the Gemini API, without generating code.
 *
 * @example
 * ```ts
 * const schema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
 * show(SchemaValidator.validate(schema, { path: 1 }, 'my_tool')); // what is wrong, or null
 * ```
 */
export const SchemaValidator = { validate };

/**
 * What is wrong with `data`, or null. Arguments that the schema does not know
 * are refused only where its own `additionalProperties` forbids them. A schema that
 * cannot be used is a problem too: unchecked arguments do not pass.
 */
function validate(schema: object | undefined, data: unknown, toolName = 'this tool'): string | null {
  const plain = plainData(data);
  if (!plain.ok) return `the arguments of ${toolName} cannot be used: ${plain.problem}`;
  const args = plain.value;
  const problems = (of: Pick<Parameters<typeof describeIssues>[0], 'schema' | 'issues'>) =>
    describeIssues({ tool: toolName, args, ...of }).join('; ');

  if (!isJsonObject(args)) return problems({ schema: {}, issues: [{ type: 'wrong', path: [] }] });
  if (schema === undefined) return null;
  try {
    const checked = normalSchema(schema);
    const { valid, errors } = validatorOf(checked).validate(args);
    return valid ? null : problems({ schema: checked, issues: schemaIssues(errors, args) });
  } catch (error) {
    return `the schema of ${toolName} cannot be used: ${error instanceof Error ? error.message : String(error)}`;
  }
}

const known = new WeakMap<JsonObject, Validator>();

function validatorOf(schema: JsonObject): Validator {
  let validator = known.get(schema);
  if (validator === undefined) {
    // Every error, not only the first: a model corrects all of them at once.
    validator = new Validator(schema, schemaDraft(schema), false);
    known.set(schema, validator);
  }
  return validator;
}
