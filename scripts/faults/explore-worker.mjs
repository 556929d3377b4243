// Explores the worlds with one kernel and says what it found first.
import { parentPort, workerData } from 'node:worker_threads';

/** @typedef {{ world: string, property: string, detail: string, path: readonly string[] }} Found */
/** @typedef {{ found: Found | null, states: number }} Outcome */

/** @type {{ explorer: string, kernel: string }} */
const { explorer, kernel } = workerData;
/** @type {typeof import('../../packages/testkit/src/explore/index.js')} */
const { explore, WORLDS } = await import(explorer);
/** @type {import('../../packages/testkit/src/explore/index.js').Kernel} */
const examined = await import(kernel);

/** @type {Outcome} */
const outcome = { found: null, states: 0 };
for (const world of WORLDS) {
  const { violations, states } = explore(world, examined, { until: 'first', refoldEvery: 5 });
  outcome.states += states;
  const [first] = violations;
  if (!first) continue;
  outcome.found = { world: world.name, ...first };
  break;
}
parentPort?.postMessage(outcome);
