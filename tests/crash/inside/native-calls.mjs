// Loaded into the program under test before anything of its own: what it asks of SQLite comes by here, whichever copy
// of the library asks for it.
import { createRequire } from 'node:module';

/**
 * @typedef {object} Between what stands between the program and SQLite; `go` lets it happen
 * @property {(sql: string, go: () => unknown) => unknown} exec
 * @property {(sql: string, given: unknown, go: () => unknown) => unknown} run of a prepared statement
 */

/** @type {Between} */
let between = { exec: (_, go) => go(), run: (_sql, _given, go) => go() };

/** @param {Between} given */
export function standBetween(given) {
  between = given;
}

const engine = createRequire(new URL('../../../packages/engine/package.json', import.meta.url));
const libsql = createRequire(engine.resolve('libsql'));
const native = libsql(`@libsql/${libsql('@neon-rs/load').currentTarget()}`);
const { databaseExecSync, databasePrepareSync, statementRun } = native;
/** @type {WeakMap<object, string>} */
const sqlOf = new WeakMap();

native.databaseExecSync = function (/** @type {string} */ sql) {
  return between.exec(sql, () => databaseExecSync.call(this, sql));
};
native.databasePrepareSync = function (/** @type {string} */ sql) {
  const statement = databasePrepareSync.call(this, sql);
  sqlOf.set(statement, sql);
  return statement;
};
native.statementRun = function (/** @type {unknown} */ given) {
  return between.run(sqlOf.get(this) ?? '', given, () => statementRun.call(this, given));
};
