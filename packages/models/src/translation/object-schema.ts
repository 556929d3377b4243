import type { JsonObject } from '@countersign/protocol';
import { listOf, objectOf } from '../http/read-json.js';

/** Words that both wires refuse at the top of a function's schema, though JSON Schema allows them there. */
const REFUSED_AT_TOP = ['oneOf', 'anyOf', 'allOf', 'not', 'enum', 'const', '$schema'];

/**
 * A function's parameters as both wires demand them: an object that says its properties. Schemas of foreign tools may
 * be looser. What is lost here only guides the model: arguments are checked against the whole schema before a call runs.
 */
export function objectSchema(schema: JsonObject): JsonObject {
  const accepted = Object.entries(schema).filter(([key]) => !REFUSED_AT_TOP.includes(key));
  return { ...Object.fromEntries(accepted), type: 'object', properties: propertiesOf(schema) };
}

/** Those of the alternatives, too: the model should know of every argument, even if not which go together. */
function propertiesOf(schema: JsonObject): JsonObject {
  const alternatives = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => listOf(schema[key]));
  const everywhere = [...alternatives, schema].map((one) => objectOf(objectOf(one)?.properties) ?? {});
  return Object.fromEntries(everywhere.flatMap((properties) => Object.entries(properties)));
}
