import type { Json, JsonObject } from '@countersign/protocol';
import { isJsonList, isJsonObject } from './json-kinds.js';
import { plainData } from './plain-data.js';

const known = new WeakMap<object, JsonObject>();

/**
 * A schema as JSON Schema spells it. Programs written for the Gemini API write
 * `"STRING"` for `"string"`, `nullable` for a type that may be null, and some
 * limits as text. The result is plain data, made once for each schema object.
 */
export function normalSchema(given: object): JsonObject {
  let schema = known.get(given);
  if (schema === undefined) {
    const plain = plainData(given);
    if (!plain.ok || !isJsonObject(plain.value)) {
      throw new Error(`The schema cannot be used: ${plain.ok ? 'it is not an object' : plain.problem}.`);
    }
    schema = normal(plain.value);
    known.set(given, schema);
  }
  return schema;
}

const SCHEMA = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'];
const SCHEMAS = ['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items'];
const NAMED_SCHEMAS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const COUNTS = ['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties'];

function normal(schema: JsonObject): JsonObject {
  const { nullable, ...rest } = schema;
  const entries = Object.entries(rest).map(([key, value]): [string, Json] => [
    key,
    normalKeyword(key, value),
  ]);
  const spelled = Object.fromEntries(
    entries.filter(([key, value]) => !(key === 'type' && value === UNSPECIFIED)),
  );
  return nullable === true ? orNull(spelled) : spelled;
}

const UNSPECIFIED = 'type_unspecified';

/** Only where a keyword stands: a property may well be called "type". */
function normalKeyword(key: string, value: Json): Json {
  if (key === 'type') return isJsonList(value) ? value.map(lowerCase) : lowerCase(value);
  if (COUNTS.includes(key) && typeof value === 'string' && /^\d+$/.test(value)) return Number(value);
  if (isJsonObject(value)) {
    if (SCHEMA.includes(key)) return normal(value);
    if (NAMED_SCHEMAS.includes(key)) return normalMembers(value);
  }
  if (SCHEMAS.includes(key) && isJsonList(value))
    return value.map((each) => (isJsonObject(each) ? normal(each) : each));
  return value;
}

const normalMembers = (members: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(members).map(([name, each]) => [name, isJsonObject(each) ? normal(each) : each]),
  );

const lowerCase = (type: Json): Json => (typeof type === 'string' ? type.toLowerCase() : type);

function orNull(schema: JsonObject): JsonObject {
  const { type, enum: options } = schema;
  return {
    ...schema,
    ...(typeof type === 'string' && { type: [type, 'null'] }),
    ...(isJsonList(options) && !options.includes(null) && { enum: [...options, null] }),
  };
}
