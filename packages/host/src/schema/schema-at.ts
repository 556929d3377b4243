import type { Json, JsonObject } from '@countersign/protocol';
import { isJsonList, isJsonObject } from './json-kinds.js';

const REFERENCES_MAX = 20; // a chain of more leads in a circle

/** The part of a JSON Schema that mentions the value at `path`; empty if none does. */
export function schemaAt(root: JsonObject, path: readonly PropertyKey[]): JsonObject {
  return path.reduce<JsonObject>(
    (at, step) =>
      referred(root, typeof step === 'number' ? itemOf(at, step) : propertyOf(root, at, String(step))),
    referred(root, root),
  );
}

function itemOf({ items, prefixItems }: JsonObject, index: number): JsonObject {
  const tuple = isJsonList(prefixItems) ? prefixItems : isJsonList(items) ? items : [];
  const own = tuple[index];
  return objectOr(own ?? items);
}

function propertyOf(root: JsonObject, schema: JsonObject, key: string): JsonObject {
  const own = member(schema.properties, key);
  if (own !== undefined) return objectOr(own);
  for (const part of partsOf(schema)) {
    const found = member(referred(root, part).properties, key);
    if (found !== undefined) return objectOr(found);
  }
  return objectOr(schema.additionalProperties);
}

/** Where else an object's properties may be mentioned. */
function partsOf(schema: JsonObject): readonly JsonObject[] {
  const lists = [schema.allOf, schema.anyOf, schema.oneOf].flatMap((list) => (isJsonList(list) ? list : []));
  return [...lists, schema.then, schema.else].filter(isJsonObject);
}

function referred(root: JsonObject, schema: JsonObject): JsonObject {
  let at = schema;
  for (let followed = 0; followed < REFERENCES_MAX; followed += 1) {
    const { $ref: reference } = at;
    if (typeof reference !== 'string' || !reference.startsWith('#')) return at;
    const steps = reference
      .slice(1)
      .split('/')
      .filter((step) => step !== '');
    at = objectOr(steps.reduce<Json | undefined>((found, step) => member(found, unescaped(step)), root));
  }
  return {};
}

const unescaped = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

function member(value: Json | undefined, key: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

const objectOr = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});
