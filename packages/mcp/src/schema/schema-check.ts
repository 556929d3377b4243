import { createContext, Script } from 'node:vm';
import { Validator } from '@cfworker/json-schema';
import { type SchemaError, schemaDraft } from '@countersign/host';
import type { Json, JsonObject } from '@countersign/protocol';
import { isQuick } from './schema-problem.js';

/** What is wrong with a value; empty if it is as the schema wants it. Throws if the schema itself cannot be used. */
export type SchemaCheck = (value: Json) => readonly SchemaError[];

const TRIES_MAX = 10;
const CHECK_MS_MAX = 100; // a pattern or a schema can take forever, and nothing else continues meanwhile

/** A check that ends in time, whatever the schema. */
export function schemaCheck(schema: JsonObject): SchemaCheck {
  // The validator puts marks of its own into what it is given.
  const validator = new Validator(structuredClone(schema), schemaDraft(schema), false);
  const check: SchemaCheck = (value) => validator.validate(value).errors;
  return isQuick(schema) ? check : (value) => inTime(() => check(value));
}

/** On a busy machine time passes without being used: a check that was stopped before it had used half of it begins again. */
function inTime<T>(work: () => T): T {
  const before = process.cpuUsage();
  for (let tries = 1; ; tries += 1) {
    const done = withinLimit(work);
    if (done) return done.value;
    const { user, system } = process.cpuUsage(before);
    if (tries >= TRIES_MAX || (user + system) / 1_000 >= CHECK_MS_MAX / 2)
      throw new Error(`checking against it takes more than ${CHECK_MS_MAX} ms`);
  }
}

/** Left to itself, a regular expression is stopped by nothing; run as a script, it is. Null if it was. */
function withinLimit<T>(work: () => T): { readonly value: T } | null {
  let done: { readonly value: T } | null = null;
  box['work'] = () => {
    done = { value: work() };
  };
  try {
    script.runInContext(context, { timeout: CHECK_MS_MAX });
  } catch (error) {
    // It comes from where the script runs, whose errors are not of our kind.
    if (codeOf(error) === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return null;
    throw error;
  } finally {
    delete box['work'];
  }
  return checked(done);
}

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : null;

function checked<T>(done: { readonly value: T } | null): { readonly value: T } {
  if (done === null) throw new Error('the check did not run');
  return done;
}

const box: { [name: string]: unknown } = {};
const context = createContext(box);
const script = new Script('work()');
