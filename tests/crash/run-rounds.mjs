import { GROUPS } from './kill-points.mjs';
import { playRound } from './round.mjs';

/** @typedef {import('./round.mjs').RoundResult} RoundResult */
/** @typedef {import('./check-round.mjs').ViolationKind} ViolationKind */

/**
 * Play these rounds, some of them at the same time. Results come in the order of the plans.
 * @param {readonly import('./round-plan.mjs').RoundPlan[]} plans
 * @param {{ atOnce: number, onResult?: (result: RoundResult) => void }} options
 * @returns {Promise<RoundResult[]>}
 */
export async function runRounds(plans, { atOnce, onResult }) {
  /** @type {RoundResult[]} */
  const results = [];
  let next = 0;
  const work = async () => {
    for (let index = next++; index < plans.length; index = next++) {
      const plan = plans[index];
      if (!plan) return;
      const result = await playRound(plan);
      results[index] = result;
      onResult?.(result);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}

/** What was wrong in a round, and how to play it again. */
export function reportOf(/** @type {RoundResult} */ { plan, violations, files, ms }) {
  const { seed, index, point, choice, start, recovery, answering } = plan;
  return [
    `Round ${index} of seed ${seed} (${point.title}; ${start}, recovery: ${recovery}, answers: ${answering}; ${ms} ms)`,
    `  killed: ${JSON.stringify(choice)}`,
    ...violations.map(({ kind, text }) => `  ${kind}: ${text}`),
    `  again: node tests/crash/run.mjs --seed ${seed} --only ${index}    files: ${files}`,
  ].join('\n');
}

const PROMISES = /** @type {const} */ (['lost', 'duplicated', 'without grant']);

/** A table of the rounds by what was killed. */
export function summaryOf(/** @type {readonly RoundResult[]} */ results) {
  const rows = [['killed', 'rounds', 'kills', ...PROMISES, 'other']];
  for (const group of GROUPS)
    rows.push(
      rowOf(
        group,
        results.filter(({ plan }) => plan.point.group === group),
      ),
    );
  rows.push(rowOf('all', results));
  return rows
    .map((row) => row.map((cell, column) => (column === 0 ? cell.padEnd(32) : cell.padStart(14))).join(''))
    .join('\n');
}

/** @param {string} title @param {readonly RoundResult[]} results */
function rowOf(title, results) {
  const found = results.flatMap(({ violations }) => violations.map(({ kind }) => kind));
  const isPromise = (/** @type {ViolationKind} */ kind) => PROMISES.some((promise) => promise === kind);
  const counts = [
    results.length,
    results.reduce((sum, { kills }) => sum + kills, 0),
    ...PROMISES.map((promise) => found.filter((kind) => kind === promise).length),
    found.filter((kind) => !isPromise(kind)).length,
  ];
  return [title, ...counts.map(String)];
}
