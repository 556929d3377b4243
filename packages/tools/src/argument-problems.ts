import type { Json, JsonObject } from '@countersign/protocol';
import type { z } from 'zod';

const PROBLEMS_MAX = 10; // whoever has more wrong does not need them all to see it
const SHOWN_CHARS_MAX = 60; // enough to recognise a value

type Wrong = {
  readonly tool: string;
  readonly schema: JsonObject;
  readonly args: unknown;
  readonly issues: readonly z.core.$ZodIssue[];
};

/** Which argument is wrong and what is expected instead, one sentence each. */
export function argumentProblems({ tool, schema, args, issues }: Wrong): string[] {
  const problems = issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => unknownArgument(tool, schema, [...issue.path, key]));
    if (issue.code === 'custom') return [issue.message];
    return [wrongArgument(tool, schema, args, issue.path)];
  });
  const left = problems.length - PROBLEMS_MAX;
  return left > 0 ? [...problems.slice(0, PROBLEMS_MAX), `and ${left} more`] : problems;
}

type Path = readonly PropertyKey[];

function unknownArgument(tool: string, schema: JsonObject, path: Path): string {
  const parent = path.slice(0, -1);
  const known = Object.keys(objectAt(schemaAt(schema, parent), 'properties')).join(', ');
  const owner = parent.length === 0 ? tool : nameOf(parent);
  return `${quoted(nameOf(path))} is not an argument of ${owner} (known: ${known})`;
}

function wrongArgument(tool: string, schema: JsonObject, args: unknown, path: Path): string {
  const value = valueAt(args, path);
  const expected = schemaAt(schema, path);
  if (path.length === 0) return `the arguments of ${tool} must be an object, not ${inWords(value)}`;
  const name = quoted(nameOf(path));
  if (value === undefined) return `${name} is required (${expectation(expected, 'bare')})`;
  return `${name} must be ${expectation(expected, 'with article')}, not ${inWords(value)}`;
}

/** `file_filtering_options.respect_git_ignore`, `ignore[2]` */
function nameOf(path: Path): string {
  return path.reduce<string>((name, step) => {
    if (typeof step === 'number') return `${name}[${step}]`;
    return name === '' ? String(step) : `${name}.${String(step)}`;
  }, '');
}

function expectation(schema: JsonObject, form: 'bare' | 'with article'): string {
  if (Array.isArray(schema.enum)) return `one of ${schema.enum.map((option) => inWords(option)).join(', ')}`;
  const article = (noun: string) =>
    form === 'bare' ? noun : `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
  switch (schema.type) {
    case 'string':
      return article(`string${limitsOf(schema.minLength, schema.maxLength, ' characters')}`);
    case 'boolean':
      return 'true or false';
    case 'integer':
      return article(`whole number${limitsOf(schema.minimum, schema.maximum)}`);
    case 'number':
      return article(`number${limitsOf(schema.minimum, schema.maximum)}`);
    case 'array':
      return article(`list of ${pluralOf(objectAt(schema, 'items'))}${sizeOf(schema)}`);
    default:
      return article('object');
  }
}

function limitsOf(min: Json | undefined, max: Json | undefined, unit = ''): string {
  const limits = [
    ...(typeof min === 'number' ? [`at least ${min}`] : []),
    ...(typeof max === 'number' ? [`at most ${max}`] : []),
  ];
  return limits.length === 0 ? '' : ` of ${limits.join(' and ')}${unit}`;
}

const sizeOf = ({ maxItems }: JsonObject): string =>
  typeof maxItems === 'number' ? ` with at most ${maxItems} items` : '';

const pluralOf = (items: JsonObject): string =>
  items.type === 'string' ? 'strings' : items.type === 'object' ? 'objects' : 'values';

/** Never looks into lists and objects: arguments may be nested deeper than a stack is. */
function inWords(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? `a list of ${value.length}` : 'an object';
}

const quoted = (text: string): string =>
  JSON.stringify(text.length > SHOWN_CHARS_MAX ? `${text.slice(0, SHOWN_CHARS_MAX)}…` : text);

function schemaAt(schema: JsonObject, path: Path): JsonObject {
  return path.reduce<JsonObject>(
    (at, step) =>
      typeof step === 'number' ? objectAt(at, 'items') : objectAt(objectAt(at, 'properties'), String(step)),
    schema,
  );
}

function objectAt(schema: JsonObject, key: string): JsonObject {
  const member: Json | undefined = Object.hasOwn(schema, key) ? schema[key] : undefined;
  return isObject(member) ? member : {};
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function valueAt(args: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, step) => {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    return Reflect.get(at, step);
  }, args);
}
