import { canonicalJson, type Json, type JsonObject } from '@countersign/protocol';
import type { ArgumentTest, Rule } from './rule.js';

/** Whether the arguments pass every test of a rule. */
export const meetsTests = ({ when, decision }: Pick<Rule, 'when' | 'decision'>, args: JsonObject): boolean =>
  (when ?? []).every((test) => passes(test, args, decision !== 'allow'));

/**
 * A value of another type than the test is about says nothing: a rule that allows does not, and one that denies or asks
 * still does, so that "200" or [200] does not pass where 200 would be stopped.
 */
function passes(test: ArgumentTest, args: JsonObject, isStrict: boolean): boolean {
  const isThere = Object.hasOwn(args, test.key) && args[test.key] !== undefined;
  if (test.type === 'exists') return test.exists === isThere;
  if (!isThere) return isStrict && test.type === 'oneOf' && !test.isIn;
  const value = args[test.key] ?? null;
  switch (test.type) {
    case 'compare':
      return typeof value === 'number' ? compares(value, test) : isStrict;
    case 'matches':
      if (typeof value === 'string') return test.pattern.test(value);
      return isStrict && test.pattern.test(canonicalJson(value));
    case 'oneOf': {
      const isEqual = includes(test.values, value);
      // A list with a forbidden value in it holds that value.
      const holds = isStrict && isList(value) && value.some((each) => includes(test.values, each));
      if (test.isIn) return isEqual || holds;
      // ["eve"] is not "eve", and may be understood as it: what allows all but some is about values of their types.
      return !isEqual && (isStrict || isComparable(test.values, value));
    }
  }
}

/** Whether it is of the type of one of the values. A list or a table equals nothing but itself, and may hold anything. */
const isComparable = (values: readonly Json[], value: Json): boolean =>
  value !== null && typeof value !== 'object' && values.some((each) => typeof each === typeof value);

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

const includes = (values: readonly Json[], value: Json): boolean =>
  values.some((each) => canonicalJson(each) === canonicalJson(value));

function compares(value: number, { operator, than }: Extract<ArgumentTest, { type: 'compare' }>): boolean {
  switch (operator) {
    case 'gt':
      return value > than;
    case 'gte':
      return value >= than;
    case 'lt':
      return value < than;
    case 'lte':
      return value <= than;
  }
}
