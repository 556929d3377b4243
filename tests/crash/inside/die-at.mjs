// Runs inside the program under test: ends it with SIGKILL at one exact place.
import { appendFileSync, writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { standBetween } from './native-calls.mjs';

/**
 * Where a process dies. `marker` names a row by a piece of its text: an append to the journal that
 * carries a certain event, or a command that is left in the inbox.
 * @typedef {{ at: 'append', where: AppendMoment, marker: string, delayUs: number }
 *   | { at: 'transaction', nth: number }
 *   | { at: 'run', where: 'entered' | 'done', callId: string, attempt: number }} Death
 *
 * `insert`: the transaction is open and the row not yet in it; `inserted`: the row is in it, other
 * rows of it are not; `commit`: all rows are in it; `committing`: while SQLite writes and syncs;
 * `committed`: it is written and nobody has acted on it.
 * @typedef {'insert' | 'inserted' | 'commit' | 'committing' | 'committed'} AppendMoment
 */

/** Exists once the tools of this process are loaded. */
export const loadedFile = (/** @type {string} */ deathsFile) => `${deathsFile}.${process.pid}.loaded`;

/**
 * In the thread of the tools.
 * @param {Death} death
 * @param {string} deathsFile where a process writes down that it has come to its place
 * @returns {(where: 'entered' | 'done', callId: string, attempt: number) => void} to be called by tools as they run
 */
export function dieInTool(death, deathsFile) {
  const { die } = dying(death, deathsFile);
  writeFileSync(loadedFile(deathsFile), '');
  if (death.at !== 'run') return () => {};
  return (where, callId, attempt) => {
    if (where === death.where && callId === death.callId && attempt === death.attempt) die();
  };
}

/**
 * In the main thread, which alone uses SQLite.
 * @param {Death} death
 * @param {string} deathsFile
 * @param {() => boolean} areToolsLoaded transactions are counted from then on
 */
export function dieInMainThread(death, deathsFile, areToolsLoaded) {
  const act = dying(death, deathsFile);
  if (death.at === 'append') watchRows(death, act);
  if (death.at === 'transaction') watchTransactions(death.nth, act.die, areToolsLoaded);
}

function dying(/** @type {Death} */ death, /** @type {string} */ deathsFile) {
  const announce = () => appendFileSync(deathsFile, `${JSON.stringify({ pid: process.pid, death })}\n`);
  const die = () => {
    announce();
    process.kill(process.pid, 'SIGKILL');
  };
  return { die, announce };
}

/**
 * @param {Extract<Death, { at: 'append' }>} death
 * @param {{ die: () => void, announce: () => void }} act
 */
function watchRows({ where, marker, delayUs }, { die, announce }) {
  const killer = where === 'committing' ? new Killer(delayUs) : null;
  let isInTransaction = false;
  standBetween({
    run(sql, given, go) {
      if (!/^INSERT INTO (journal|inbox) /.test(sql)) return go();
      const isMarked = [given].flat().some((value) => typeof value === 'string' && value.includes(marker));
      if (isMarked && where === 'insert') die();
      const result = go();
      if (isMarked && where === 'inserted') die();
      isInTransaction ||= isMarked;
      return result;
    },
    exec(sql, go) {
      const isCommit = sql === 'COMMIT' && isInTransaction;
      if (isCommit && where === 'commit') die();
      if (isCommit && killer) {
        announce();
        killer.letGo();
      }
      const result = go();
      if (isCommit && where === 'committed') die();
      if (sql === 'COMMIT' || sql === 'ROLLBACK') isInTransaction = false;
      return result;
    },
  });
}

/**
 * @param {number} nth
 * @param {() => void} die
 * @param {() => boolean} isCounting
 */
function watchTransactions(nth, die, isCounting) {
  let begun = 0;
  standBetween({
    run: (_sql, _given, go) => go(),
    exec(sql, go) {
      if (sql.startsWith('BEGIN IMMEDIATE') && isCounting() && ++begun === nth) die();
      return go();
    },
  });
}

/**
 * A thread that kills the process while its main thread is inside SQLite. SQLite blocks, so nothing
 * of ours could do it from there.
 */
class Killer {
  #state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

  constructor(/** @type {number} */ delayUs) {
    const code = `
      const { state, delayUs } = require('node:worker_threads').workerData;
      Atomics.store(state, 0, ${READY});
      Atomics.notify(state, 0);
      Atomics.wait(state, 0, ${READY});
      const until = performance.now() + delayUs / 1000;
      while (performance.now() < until);
      process.kill(process.pid, 'SIGKILL');`;
    new Worker(code, { eval: true, workerData: { state: this.#state, delayUs } }).unref();
  }

  /** A thread takes longer to start than SQLite to commit, so it is waited for. */
  letGo() {
    Atomics.wait(this.#state, 0, STARTING);
    Atomics.store(this.#state, 0, LET_GO);
    Atomics.notify(this.#state, 0);
  }
}

const STARTING = 0;
const READY = 1;
const LET_GO = 2;
