import type { ArgumentTest } from '@countersign/kernel';
import type { Json, JsonObject } from '@countersign/protocol';
import { compilePattern } from './pattern.js';

export type ReadTests =
  | { readonly ok: true; readonly tests: readonly ArgumentTest[] }
  | { readonly ok: false; readonly problem: string };

const OPERATORS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'notIn', 'matches', 'exists'] as const;

/**
 * `when.amount = { gt = 100, lte = 500 }`, `when.currency = "EUR"`, `when.branch = ["main", "next"]`: one entry for each
 * argument, and all of them have to hold.
 */
export async function readArgumentTests(when: JsonObject): Promise<ReadTests> {
  const tests: ArgumentTest[] = [];
  // Without a test the rule would apply to every call, which nobody means who writes `when`.
  if (Object.keys(when).length === 0) return { ok: false, problem: 'when names no argument to test' };
  for (const [key, value] of Object.entries(when)) {
    const operators: JsonObject = isTable(value)
      ? value
      : Array.isArray(value)
        ? { in: value }
        : { eq: value };
    if (Object.keys(operators).length === 0) return bad(key, `needs one of ${OPERATORS.join(', ')}`);
    for (const [operator, operand] of Object.entries(operators)) {
      const test = await readTest(key, operator, operand);
      if (typeof test === 'string') return bad(key, test);
      tests.push(test);
    }
  }
  return { ok: true, tests };
}

const bad = (key: string, problem: string): ReadTests => ({ ok: false, problem: `when.${key} ${problem}` });

/** The test, or what is wrong with it. */
async function readTest(key: string, operator: string, operand: Json): Promise<ArgumentTest | string> {
  switch (operator) {
    case 'eq':
    case 'ne':
      return { key, type: 'oneOf', values: [operand], isIn: operator === 'eq' };
    case 'in':
    case 'notIn':
      return Array.isArray(operand)
        ? { key, type: 'oneOf', values: operand, isIn: operator === 'in' }
        : `${operator} must be a list of values`;
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return typeof operand === 'number'
        ? { key, type: 'compare', operator, than: operand }
        : `${operator} must be a number`;
    case 'exists':
      return typeof operand === 'boolean'
        ? { key, type: 'exists', exists: operand }
        : 'exists must be true or false';
    case 'matches': {
      if (typeof operand !== 'string') return 'matches must be a regular expression';
      const alone = await compilePattern(operand);
      // Of the whole value: a rule about "main" does not mean "maintenance".
      const whole = alone.ok ? await compilePattern(String.raw`\A(?:${operand})\z`) : alone;
      return whole.ok
        ? { key, type: 'matches', pattern: whole.pattern }
        : `matches is not a usable regular expression: ${whole.problem}`;
    }
    default:
      return `does not know ${operator}; use one of ${OPERATORS.join(', ')}`;
  }
}

const isTable = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
