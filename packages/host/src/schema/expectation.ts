import type { Json, JsonObject } from '@countersign/protocol';
import { isJsonList, isJsonObject } from './json-kinds.js';

const SHOWN_CHARS_MAX = 60; // enough to recognise a value
const ALTERNATIVES_MAX = 12; // a longer list is not read

/** What a schema asks for, in words: `a whole number of at least 1`. */
export function expectation(schema: JsonObject, form: 'bare' | 'with article'): string {
  if (isJsonList(schema.enum)) return `one of ${listed(schema.enum)}`;
  if (schema.const !== undefined) return inWords(schema.const);
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 0)
    return [...new Set(alternatives.map((each) => expectation(each, form)))].join(' or ');
  const article = (noun: string) =>
    form === 'bare' ? noun : `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
  switch (schema.type) {
    case 'string':
      return article(`string${lengthOf(schema)}${shapeOf(schema)}`);
    case 'boolean':
      return 'true or false';
    case 'null':
      return 'null';
    case 'integer':
      return article(`whole number${boundsOf(schema)}`);
    case 'number':
      return article(`number${boundsOf(schema)}`);
    case 'array':
      return article(`list of ${pluralOf(schema.items)}${sizeOf(schema)}`);
    case 'object':
      return article('object');
    default:
      // The schema describes it in another way, which has no words here.
      return isJsonObject(schema.properties) || Object.keys(schema).length === 0
        ? article('object')
        : article('different value');
  }
}

/** Never looks into lists and objects: arguments may be nested deeper than a stack is. */
export function inWords(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? `a list of ${value.length}` : 'an object';
}

export const quoted = (text: string): string =>
  JSON.stringify(text.length > SHOWN_CHARS_MAX ? `${text.slice(0, SHOWN_CHARS_MAX)}…` : text);

function alternativesOf(schema: JsonObject): readonly JsonObject[] {
  const { type, anyOf, oneOf } = schema;
  if (isJsonList(type)) return type.map((each) => ({ ...schema, type: each }));
  const given = isJsonList(anyOf) ? anyOf : isJsonList(oneOf) ? oneOf : [];
  return given.filter(isJsonObject);
}

function listed(options: readonly Json[]): string {
  const shown = options.slice(0, ALTERNATIVES_MAX).map(inWords).join(', ');
  const left = options.length - ALTERNATIVES_MAX;
  return left > 0 ? `${shown} or ${left} others` : shown;
}

function boundsOf(schema: JsonObject): string {
  const limits = limitsIn(schema, {
    minimum: 'at least',
    exclusiveMinimum: 'more than',
    maximum: 'at most',
    exclusiveMaximum: 'less than',
  });
  const range = limits === '' ? '' : ` of ${limits}`;
  const { multipleOf } = schema;
  return typeof multipleOf === 'number' ? `${range} that is a multiple of ${multipleOf}` : range;
}

/** `at least 1 and at most 5`; empty where the schema has none of these keywords. */
const limitsIn = (schema: JsonObject, words: { readonly [keyword: string]: string }): string =>
  Object.entries(words)
    .flatMap(([keyword, word]) => (typeof schema[keyword] === 'number' ? [`${word} ${schema[keyword]}`] : []))
    .join(' and ');

function lengthOf(schema: JsonObject): string {
  const limits = limitsIn(schema, { minLength: 'at least', maxLength: 'at most' });
  return limits === '' ? '' : ` of ${limits} characters`;
}

function shapeOf({ pattern, format }: JsonObject): string {
  if (typeof pattern === 'string') return ` that matches ${quoted(pattern)}`;
  return typeof format === 'string' ? ` in the format ${quoted(format)}` : '';
}

function sizeOf(schema: JsonObject): string {
  const limits = limitsIn(schema, { minItems: 'at least', maxItems: 'at most' });
  const size = limits === '' ? '' : ` with ${limits} items`;
  return schema.uniqueItems === true ? `${size}${size === '' ? ' with' : ' and'} no item twice` : size;
}

function pluralOf(items: Json | undefined): string {
  const type = isJsonObject(items) ? items.type : undefined;
  if (type === 'string') return 'strings';
  if (type === 'object') return 'objects';
  if (type === 'number') return 'numbers';
  return type === 'integer' ? 'whole numbers' : 'values';
}
