// The crash test in its long form, with the program as it is built:
//   node tests/crash/run.mjs [--rounds 200] [--seed N] [--only ROUND] [--at-once 2]
import { parseArgs } from 'node:util';
import { KILL_POINTS } from './kill-points.mjs';
import { planRound } from './round-plan.mjs';
import { reportOf, runRounds, summaryOf } from './run-rounds.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string' },
    'at-once': { type: 'string', default: '2' },
  },
});
const seed = Number(values.seed);
const rounds = values.only === undefined ? [...Array(Number(values.rounds)).keys()] : [Number(values.only)];

console.log(`Crash test: ${rounds.length} rounds, ${KILL_POINTS.length} kinds of kill points, seed ${seed}`);
const beganAt = performance.now();
let done = 0;
const results = await runRounds(
  rounds.map((index) => planRound(seed, index)),
  {
    atOnce: Number(values['at-once']),
    onResult: (result) => {
      done++;
      if (result.violations.length > 0) console.log(reportOf(result));
      if (done % 20 === 0)
        console.log(`${done} rounds, ${Math.round((performance.now() - beganAt) / 1000)} s`);
    },
  },
);
const longestMs = Math.max(...results.map(({ ms }) => ms));
console.log(`\n${summaryOf(results)}\n`);
console.log(`The longest round took ${longestMs} ms.`);
process.exitCode = results.some(({ violations }) => violations.length > 0) ? 1 : 0;
