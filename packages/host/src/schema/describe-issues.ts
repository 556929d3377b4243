import type { JsonObject } from '@countersign/protocol';
import { expectation, inWords, quoted } from './expectation.js';
import { isJsonObject } from './json-kinds.js';
import { schemaAt } from './schema-at.js';

/**
 * One thing wrong with arguments, whichever validator found it. `stated` is a sentence of the validator, `either` what
 * is wrong under each of several readings, of which one would have to be right.
 */
export type ArgumentIssue =
  | { readonly type: 'wrong' | 'unknown'; readonly path: readonly PropertyKey[] }
  | { readonly type: 'stated'; readonly text: string }
  | { readonly type: 'either'; readonly readings: readonly (readonly ArgumentIssue[])[] };

export type IssuesOf = {
  readonly tool: string;
  /** JSON Schema of all arguments: what was expected is read from it. */
  readonly schema: JsonObject;
  readonly args: unknown;
  readonly issues: readonly ArgumentIssue[];
};

const ISSUES_MAX = 200; // put into words, to find equal ones
const PROBLEMS_MAX = 10; // a reader does not need more to see what is wrong

/** Which argument is wrong and what is expected instead, one sentence each. */
export function describeIssues({ issues, ...about }: IssuesOf): string[] {
  const problems = [...new Set(issues.slice(0, ISSUES_MAX).map((issue) => describe(issue, about)))];
  const left = problems.length - PROBLEMS_MAX + Math.max(0, issues.length - ISSUES_MAX);
  return left > 0 ? [...problems.slice(0, PROBLEMS_MAX), `and ${left} more`] : problems;
}

type About = Omit<IssuesOf, 'issues'>;
type Path = readonly PropertyKey[];

function describe(issue: ArgumentIssue, about: About): string {
  switch (issue.type) {
    case 'stated':
      return issue.text;
    case 'unknown':
      return unknownArgument(about, issue.path);
    case 'wrong':
      return wrongArgument(about, issue.path);
    case 'either':
      return issue.readings
        .map((issues) => issues.map((each) => describe(each, about)).join(' and '))
        .join(', or ');
  }
}

function unknownArgument({ tool, schema }: About, path: Path): string {
  const parent = path.slice(0, -1);
  const { properties } = schemaAt(schema, parent);
  const known = Object.keys(isJsonObject(properties) ? properties : {}).join(', ') || 'none';
  const owner = parent.length === 0 ? tool : nameOf(parent);
  return `${quoted(nameOf(path))} is not an argument of ${owner} (known: ${known})`;
}

function wrongArgument({ tool, schema, args }: About, path: Path): string {
  const value = valueAt(args, path);
  const expected = schemaAt(schema, path);
  if (path.length === 0) return `the arguments of ${tool} must be an object, not ${inWords(value)}`;
  const name = quoted(nameOf(path));
  if (value === undefined) return `${name} is required (${expectation(expected, 'bare')})`;
  return `${name} must be ${expectation(expected, 'with article')}, not ${inWords(value)}`;
}

/** `file_filtering_options.respect_git_ignore`, `ignore[2]` */
export function nameOf(path: Path): string {
  return path.reduce<string>((name, step) => {
    if (typeof step === 'number') return `${name}[${step}]`;
    return name === '' ? String(step) : `${name}.${String(step)}`;
  }, '');
}

function valueAt(args: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, step) => {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    return Reflect.get(at, step);
  }, args);
}
