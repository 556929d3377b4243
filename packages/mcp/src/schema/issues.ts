import type { OutputUnit } from '@cfworker/json-schema';
import type { Json } from '@countersign/protocol';
import { type ArgumentIssue, isJsonList, isJsonObject, nameOf } from '@countersign/tools';

/** What a validator found, for `describeIssues`. Of alternatives it says only that none fits. */
export function issuesOf(errors: readonly OutputUnit[], value: Json): ArgumentIssue[] {
  const issues: ArgumentIssue[] = [];
  let inside: string | null = null;
  for (const { keyword, keywordLocation, instanceLocation, error } of errors) {
    if (inside !== null && keywordLocation.startsWith(inside)) continue;
    inside = ALTERNATIVES.includes(keyword) ? `${keywordLocation}/` : null;
    const path = pathOf(instanceLocation, value);
    if (keyword === 'required') issues.push({ type: 'wrong', path: [...path, missingIn(error)] });
    else if (keyword === 'false') issues.push({ type: 'unknown', path });
    else if (inside !== null)
      issues.push({ type: 'said', text: `${nameIn(path)} fits none of the forms it may have` });
    else if (!HOLDERS.includes(keyword)) issues.push({ type: 'wrong', path });
  }
  return issues;
}

const ALTERNATIVES = ['anyOf', 'oneOf', 'not', 'contains', 'propertyNames'];

/** They say only that something in them is wrong, which is said as well. */
const HOLDERS = [
  ...['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties'],
  ...['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'allOf', 'if', '$ref', '$recursiveRef'],
  ...['dependentSchemas', 'dependencies'],
];

const nameIn = (path: readonly PropertyKey[]): string =>
  path.length === 0 ? 'the whole of it' : `"${nameOf(path)}"`;

/** The validator names a missing member only in its text, at the end, in quotes. */
const missingIn = (error: string): string => /"([^"]*)"\.$/s.exec(error)?.[1] ?? '';

/** From `#/a/0`, where only the value itself can tell whether `0` is a place in a list. */
function pathOf(instanceLocation: string, value: Json): readonly PropertyKey[] {
  let at: Json | undefined = value;
  return instanceLocation
    .split('/')
    .slice(1)
    .map((step) => {
      const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
      const isPlace = isJsonList(at);
      at = isJsonList(at) ? at[Number(name)] : isJsonObject(at) ? at[name] : undefined;
      return isPlace ? Number(name) : name;
    });
}
