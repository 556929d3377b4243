import { isJsonList, isJsonObject } from '@countersign/host';
import type { Json, JsonObject } from '@countersign/protocol';

/** What is wrong with a JSON Schema of a server; null if it can be used. */
export function schemaProblem(schema: JsonObject): string | null {
  if (JSON.stringify(schema).length > SCHEMA_CHARS_MAX) return 'it is too large';
  if (schema['type'] !== 'object')
    return `its type is ${JSON.stringify(schema['type'])}, and must be "object"`;
  return problemAt(schema, '', 0);
}

/** Whether checking against it takes no longer than reading what is checked: it has no keyword that can take forever. */
export const isQuick = (schema: Json): boolean =>
  isJsonList(schema)
    ? schema.every(isQuick)
    : !isJsonObject(schema) ||
      Object.entries(schema).every(([key, value]) => !SLOW.has(key) && isQuick(value));

const SCHEMA_CHARS_MAX = 100_000; // a model has to read it
const DEPTH_MAX = 60; // no real schema is deeper, and a recursive walk needs stack

// A property of such a name makes it slow too, which costs a little and harms nothing.
const SLOW = new Set(
  'pattern patternProperties propertyNames format uniqueItems contains $ref $recursiveRef $dynamicRef allOf anyOf oneOf not if dependentSchemas dependencies'.split(
    ' ',
  ),
);

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

type Check = (value: Json, path: string, depth: number) => string | null;

function problemAt(schema: Json, path: string, depth: number): string | null {
  if (typeof schema === 'boolean') return null;
  const where = path === '' ? 'it' : path.slice(1);
  if (!isJsonObject(schema)) return `${where} is not a schema`;
  if (depth > DEPTH_MAX) return 'it is nested too deeply';
  for (const [key, value] of Object.entries(schema)) {
    const problem = CHECKS.get(key)?.(value, `${path}/${key}`, depth + 1) ?? null;
    if (problem !== null) return problem;
  }
  return null;
}

const each =
  (check: Check): Check =>
  (value, path, depth) => {
    const entries = isJsonObject(value)
      ? Object.entries(value)
      : isJsonList(value)
        ? [...value.entries()]
        : [];
    for (const [key, member] of entries) {
      const problem = check(member, `${path}/${key}`, depth);
      if (problem !== null) return problem;
    }
    return null;
  };

const anObjectOf =
  (check: Check): Check =>
  (value, path, depth) =>
    isJsonObject(value) ? each(check)(value, path, depth) : `${path.slice(1)} is not an object`;

const aListOf =
  (check: Check): Check =>
  (value, path, depth) =>
    isJsonList(value) ? each(check)(value, path, depth) : `${path.slice(1)} is not a list`;

const aText: Check = (value, path) => (typeof value === 'string' ? null : `${path.slice(1)} is not a string`);
const aNumber: Check = (value, path) =>
  typeof value === 'number' ? null : `${path.slice(1)} is not a number`;

const aType: Check = (value, path) =>
  (isJsonList(value) ? value : [value]).every((type) => typeof type === 'string' && TYPES.includes(type))
    ? null
    : `${path.slice(1)} is ${JSON.stringify(value)}, which is not a type`;

const aPattern: Check = (value, path) => {
  if (typeof value !== 'string') return aText(value, path, 0);
  try {
    new RegExp(value, 'u');
    return null;
  } catch {
    return `${path.slice(1)} is not a regular expression`;
  }
};

/** Nothing is ever fetched for a schema, so what it refers to must be in it. */
const aReference: Check = (value, path) =>
  typeof value === 'string' && value.startsWith('#')
    ? null
    : `${path.slice(1)} refers to ${JSON.stringify(value)}, which is not in it`;

/** In older drafts a list, or (`required`, `exclusiveMinimum`) true or false. */
const oneOrMore: Check = (value, path, depth) =>
  isJsonList(value) ? each(problemAt)(value, path, depth) : problemAt(value, path, depth);
const orBoolean =
  (check: Check): Check =>
  (value, path, depth) =>
    typeof value === 'boolean' ? null : check(value, path, depth);
const orTexts: Check = (value, path, depth) =>
  isJsonList(value) ? each(aText)(value, path, depth) : problemAt(value, path, depth);

/** Other keywords have no meaning for checking arguments. */
const CHECKS = new Map<string, Check>([
  ['type', aType],
  ...words('properties patternProperties $defs definitions dependentSchemas', anObjectOf(problemAt)),
  ['dependencies', anObjectOf(orTexts)],
  ...words('allOf anyOf oneOf prefixItems', aListOf(problemAt)),
  ...words(
    'additionalProperties unevaluatedProperties unevaluatedItems additionalItems propertyNames contains not if then else',
    problemAt,
  ),
  ['items', oneOrMore],
  ['required', orBoolean(aListOf(aText))],
  ['enum', aListOf(() => null)],
  ['pattern', aPattern],
  ...words('$ref $dynamicRef $recursiveRef', aReference),
  ...words('$id id', aText),
  ...words(
    'minimum maximum multipleOf minLength maxLength minItems maxItems minProperties maxProperties',
    aNumber,
  ),
  ...words('exclusiveMinimum exclusiveMaximum', orBoolean(aNumber)),
]);

function words(keywords: string, check: Check): (readonly [string, Check])[] {
  return keywords.split(' ').map((keyword) => [keyword, check]);
}
