// Runs the simulator by hand, after `npm run build`.
//   node scripts/simulate.mjs --seeds 10000 [--from N]    many runs, stops at the first that fails
//   … --counts                                            and how often what happened in them
//   node scripts/simulate.mjs --seed N [--verbose]        one run again, telling everything that happens
import { parseArgs } from 'node:util';

const PROGRESS_EVERY_MS = 5_000;

/** @type {typeof import('../packages/testkit/src/simulate/index.js')} */
const { simulate } = await import(
  new URL('../packages/testkit/dist/simulate/index.js', import.meta.url).href
);

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    verbose: { type: 'boolean', default: false },
    counts: { type: 'boolean', default: false },
  },
});

const first = Number(values.seed ?? values.from);
const count = values.seed === undefined ? Number(values.seeds) : 1;
if (!Number.isSafeInteger(first) || !Number.isSafeInteger(count)) {
  console.error('--seed, --seeds and --from take whole numbers.');
  process.exit(2);
}
process.exitCode = await run(first, count);

async function run(/** @type {number} */ from, /** @type {number} */ seeds) {
  const startedAt = performance.now();
  const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(1);
  /** @type {Map<string, number>} */
  const totals = new Map();
  let toldAt = startedAt;
  for (let seed = from; seed < from + seeds; seed++) {
    try {
      const { counts } = await simulate(seed, values.verbose ? { log: console.log } : {});
      for (const [what, times] of counts) totals.set(what, (totals.get(what) ?? 0) + times);
    } catch (thrown) {
      console.error(thrown instanceof Error ? thrown.message : thrown);
      console.error(`Failed after ${seed - from} good runs and ${seconds()} s.`);
      return 1;
    }
    if (performance.now() - toldAt > PROGRESS_EVERY_MS) {
      toldAt = performance.now();
      console.log(`${seed - from + 1} of ${seeds} runs, ${seconds()} s`);
    }
  }
  console.log(`${seeds} runs from seed ${from} without a violation, ${seconds()} s.`);
  if (values.counts) {
    const sorted = [...totals].sort(([a], [b]) => a.localeCompare(b));
    for (const [what, times] of sorted) console.log(`${times}\t${what}`);
  }
  return 0;
}
