import type { FailureOf, Json, JsonObject, Tier } from '@countersign/protocol';
import type { TomlTableWithoutBigInt, TomlValueWithoutBigInt } from 'smol-toml';
import { nearest } from '../../tool/nearest.js';
import { NO_ALIASES, type ToolAliases } from '../../tool/tool-names.js';
import { RULE_KEYS, type RuleDraft, readRule } from './read-rule.js';

/** Where a rule that a program wrote is said to stand: `line` is its number among the others. */
export type RuleObjectPlace = {
  readonly file: string;
  readonly tier: Tier;
  readonly line: number;
  readonly aliases?: ToolAliases;
};

/**
 * A rule that was written as an object, with the keys of the files. A program
 * does not read notices, so an unknown key is refused: it might have been the
 * condition.
 */
export function readRuleObject(
  rule: JsonObject,
  { file, tier, line, aliases = NO_ALIASES }: RuleObjectPlace,
):
  | { readonly ok: true; readonly draft: RuleDraft }
  | { readonly ok: false; readonly failure: FailureOf<'policy_invalid'> } {
  const invalid = (problem: string) =>
    ({ ok: false, failure: { code: 'policy_invalid', file, line, problem } }) as const;
  const { tool, ...rest } = rule;
  const keys = tool === undefined || 'toolName' in rule ? rule : { ...rest, toolName: tool };

  const known: readonly string[] = RULE_KEYS;
  for (const key of Object.keys(keys)) {
    if (known.includes(key)) continue;
    const guess = known.find((each) => each.toLowerCase() === key.toLowerCase()) ?? nearest(key, known)[0];
    return invalid(`the key "${key}" is not known${guess === undefined ? '' : `; did you mean "${guess}"?`}`);
  }
  const absent = CONDITION_KEYS.find((key) => holdsNull(keys[key]));
  if (absent !== undefined)
    return invalid(`the key "${absent}" holds null or undefined: omit it, or give a value`);
  const read = readRule(tableOf(keys), {
    file,
    tier,
    header: line,
    lineOf: () => line,
    aliases,
  });
  return read.ok ? read : invalid(read.problems[0]?.problem ?? 'the rule cannot be read');
}

/** A part of a condition that is dropped widens the rule. An example may hold null, as arguments may. */
const CONDITION_KEYS = RULE_KEYS.filter((key) => key !== 'matches' && key !== 'notMatches');

/** Below the value itself, which counts as omitted if it is null. */
const holdsNull = (value: Json | undefined): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).some(
    (each: Json | undefined) => each === null || each === undefined || holdsNull(each),
  );

/** As a TOML file would hold it. There is no null in TOML: what is null counts as omitted. */
function tableOf(object: JsonObject): TomlTableWithoutBigInt {
  const table: TomlTableWithoutBigInt = {};
  for (const [key, value] of Object.entries(object)) if (value !== null) table[key] = valueOf(value);
  return table;
}

function valueOf(value: Exclude<Json, null>): TomlValueWithoutBigInt {
  if (typeof value !== 'object') return value;
  if (isList(value)) return value.flatMap((item) => (item === null ? [] : [valueOf(item)]));
  return tableOf(value);
}

const isList = (value: Exclude<Json, null>): value is readonly Json[] => Array.isArray(value);
