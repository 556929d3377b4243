// Explores the worlds with one kernel and says what it found first.
import { parentPort, workerData } from 'node:worker_threads';

/** @typedef {{ world: string, property: string, detail: string, path: readonly string[] }} Found */
/** @typedef {{ found: Found | null, states: number }} Outcome */

/** @type {{ explorer: string, kernel: string, first: string | null }} */
const { explorer, kernel, first } = workerData;
/** @type {typeof import('../../packages/testkit/src/explore/index.js')} */
const { explore, WORLDS } = await import(explorer);
/** @type {import('../../packages/testkit/src/explore/index.js').Kernel} */
const examined = await import(kernel);

const isFirst = (/** @type {{ name: string }} */ { name }) => name === first;
if (first !== null && !WORLDS.some(isFirst)) throw new Error(`There is no world "${first}"`);

/** @type {Outcome} */
const outcome = { found: null, states: 0 };
for (const world of [...WORLDS.filter(isFirst), ...WORLDS.filter((each) => !isFirst(each))]) {
  const { violations, states } = explore(world, examined, { until: 'first', refoldEvery: 5 });
  outcome.states += states;
  const [violation] = violations;
  if (!violation) continue;
  outcome.found = { world: world.name, ...violation };
  break;
}
parentPort?.postMessage(outcome);
