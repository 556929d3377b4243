import type { Json } from '@countersign/protocol';
import { type ArgumentIssue, nameOf } from './describe-issues.js';
import { isJsonList, isJsonObject } from './json-kinds.js';

/** One error in the output of a validator of JSON Schema (of the form that the standard calls basic). */
export type SchemaError = {
  readonly keyword: string;
  readonly keywordLocation: string;
  readonly instanceLocation: string;
  readonly error: string;
};

/** The issues in a validator's flat list of errors: at least one, if the list has any. */
export function schemaIssues(errors: readonly SchemaError[], value: Json): readonly ArgumentIssue[] {
  const issues = issuesIn(errors, value);
  const [first] = errors;
  return issues.length > 0 || first === undefined
    ? issues
    : [unclear(first, pathOf(first.instanceLocation, value))];
}

/** A part of a schema that failed comes before the errors in it. */
function issuesIn(errors: readonly SchemaError[], value: Json): ArgumentIssue[] {
  const issues: ArgumentIssue[] = [];
  for (let at = 0; at < errors.length; at += 1) {
    const unit = errors[at];
    if (unit === undefined) break;
    const within = errorsWithin(errors, at);
    const path = pathOf(unit.instanceLocation, value);
    switch (unit.keyword) {
      case 'anyOf':
      case 'oneOf':
        issues.push(...alternatives(unit, within, path, value));
        at += within.length;
        break;
      case 'contains':
        issues.push(stated(path, 'lacks a required item'));
        at += within.length;
        break;
      case 'propertyNames':
        issues.push(
          ...within
            .slice(0, 1)
            .map(
              (child): ArgumentIssue => ({ type: 'unknown', path: pathOf(child.instanceLocation, value) }),
            ),
        );
        at += within.length;
        break;
      default:
        issues.push(...issueOf(unit, within.length > 0, path));
    }
  }
  return issues;
}

type Path = readonly PropertyKey[];

/** Those that follow and are about something inside it. */
function errorsWithin(errors: readonly SchemaError[], at: number): readonly SchemaError[] {
  const inside = `${errors[at]?.keywordLocation}/`;
  let end = at + 1;
  while (errors[end]?.keywordLocation.startsWith(inside)) end += 1;
  return errors.slice(at + 1, end);
}

function issueOf(unit: SchemaError, hasInner: boolean, path: Path): ArgumentIssue[] {
  switch (unit.keyword) {
    case 'required':
      return [{ type: 'wrong', path: [...path, lastQuoted(unit.error)] }];
    case 'false':
      return [
        typeof path.at(-1) === 'number' ? stated(path, 'is one item too many') : { type: 'unknown', path },
      ];
    case 'dependentRequired':
      return [stated([...path, lastQuoted(unit.error)], 'is required together with the others')];
    case 'minProperties':
    case 'maxProperties':
      return [stated(path, `has too ${unit.keyword === 'minProperties' ? 'few' : 'many'} members`)];
    case 'not':
      return [stated(path, 'has a value that is not allowed')];
    case 'minContains':
    case 'maxContains':
      return [
        stated(path, `has too ${unit.keyword === 'minContains' ? 'few' : 'many'} items of a required kind`),
      ];
    default:
      if (VALUE_KEYWORDS.has(unit.keyword)) return [{ type: 'wrong', path }];
      // A part of the schema that contains others, whose errors state what is wrong.
      return hasInner || HOLDERS.includes(unit.keyword) ? [] : [unclear(unit, path)];
  }
}

/** They are about the value itself: the schema there describes what it should be. */
const VALUE_KEYWORDS: ReadonlySet<string> = new Set(
  [
    'type enum const minimum maximum exclusiveMinimum exclusiveMaximum multipleOf',
    'minLength maxLength pattern format minItems maxItems uniqueItems',
  ].flatMap((line) => line.split(' ')),
);

/** Their inner errors come right behind them, though not always beneath them in the schema. */
const HOLDERS =
  'properties patternProperties additionalProperties unevaluatedProperties if $ref $recursiveRef'.split(' ');

/** Under one of several schemas the value would have to be right: the nearest ones are reported. */
function alternatives(
  unit: SchemaError,
  within: readonly SchemaError[],
  path: Path,
  value: Json,
): ArgumentIssue[] {
  if (unit.keyword === 'oneOf' && !unit.error.includes('(0 matches)')) {
    return [stated(path, 'matches several alternatives, and must match exactly one')];
  }
  const branches = branchesOf(within, unit.keywordLocation);
  const isOtherType = (errors: readonly SchemaError[]) =>
    errors.some(
      ({ keyword, instanceLocation }) => keyword === 'type' && instanceLocation === unit.instanceLocation,
    );
  const ofItsType = branches.filter((errors) => !isOtherType(errors));
  if (ofItsType.length === 0 && path.length > 0) return [{ type: 'wrong', path }];
  const readings = (ofItsType.length > 0 ? ofItsType : branches).map((errors) => issuesIn(errors, value));
  const fewest = Math.min(...readings.map(({ length }) => length));
  const nearest = readings.filter(({ length }) => length === fewest);
  return nearest.length > 1 ? [{ type: 'either', readings: nearest }] : nearest.flat();
}

/** The errors under each of the schemas, whose numbers come next in their places. */
function branchesOf(
  within: readonly SchemaError[],
  keywordLocation: string,
): readonly (readonly SchemaError[])[] {
  const branches = new Map<string, SchemaError[]>();
  for (const unit of within) {
    const [number = ''] = unit.keywordLocation.slice(keywordLocation.length + 1).split('/');
    const branch = branches.get(number);
    if (branch) branch.push(unit);
    else branches.set(number, [unit]);
  }
  return [...branches.values()];
}

const unclear = ({ error }: SchemaError, path: Path): ArgumentIssue => stated(path, `is not valid: ${error}`);

const stated = (path: Path, what: string): ArgumentIssue => ({
  type: 'stated',
  text: `${path.length === 0 ? 'the value' : JSON.stringify(nameOf(path))} ${what}`,
});

/** The validator names a missing member only in its text, at the end, in quotes. */
const lastQuoted = (error: string): string => /(?:property|have) "(.*)"\.$/s.exec(error)?.[1] ?? '';

/** From `#/a/0`, where only the value itself shows whether `0` is a place in a list. */
function pathOf(instanceLocation: string, value: Json): Path {
  let at: Json | undefined = value;
  return instanceLocation
    .split('/')
    .slice(1)
    .map((step) => {
      const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
      const isPlace = isJsonList(at);
      at = isJsonList(at)
        ? at[Number(name)]
        : isJsonObject(at) && Object.hasOwn(at, name)
          ? at[name]
          : undefined;
      return isPlace ? Number(name) : name;
    });
}
