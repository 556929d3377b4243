import { createContext, Script } from 'node:vm';
import { Validator } from '@cfworker/json-schema';
import type { Json, JsonObject } from '@countersign/protocol';
import { type SchemaError, schemaDraft } from '@countersign/tools';
import { isQuick } from './schema-problem.js';

/** What is wrong with a value; empty if it is as the schema wants it. Throws if the schema itself can not be used. */
export type SchemaCheck = (value: Json) => readonly SchemaError[];

const CHECK_MS_MAX = 100; // a pattern or a schema can take for ever, and nothing else goes on meanwhile

/** A check that ends in time, whatever the schema. */
export function schemaCheck(schema: JsonObject): SchemaCheck {
  // The validator puts marks of its own into what it is given.
  const validator = new Validator(structuredClone(schema), schemaDraft(schema), false);
  const check: SchemaCheck = (value) => validator.validate(value).errors;
  return isQuick(schema) ? check : (value) => inTime(() => check(value));
}

/** Left to itself, a regular expression is stopped by nothing; run as a script, it is. */
function inTime<T>(work: () => T): T {
  let done: { readonly value: T } | null = null;
  box['work'] = () => {
    done = { value: work() };
  };
  try {
    script.runInContext(context, { timeout: CHECK_MS_MAX });
  } catch (error) {
    // It comes from where the script runs, whose errors are not of our kind.
    if (codeOf(error) === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      throw new Error(`checking against it takes more than ${CHECK_MS_MAX} ms`);
    throw error;
  } finally {
    delete box['work'];
  }
  return valueOf(done);
}

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : null;

function valueOf<T>(done: { readonly value: T } | null): T {
  if (done === null) throw new Error('the check did not run');
  return done.value;
}

const box: { [name: string]: unknown } = {};
const context = createContext(box);
const script = new Script('work()');
