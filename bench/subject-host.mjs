// Runs in a process of its own (see subject-process.mjs): makes one subject and does what it is told.

/** @import { Order, Ready, Reply, SubjectModule, Work } from './subject-process.mjs' */

const [file = '', workspace = ''] = process.argv.slice(2);
/** @type {SubjectModule} */
const module = await import(new URL(file, import.meta.url).href);
const subject = await module.make(workspace);
// The one who gives the orders went away: nobody needs this process any more.
process.once('disconnect', () => void leave());

tell({ ready: { name: module.name, version: module.version(), can: Object.keys(subject) } });
process.on('message', (/** @type {Order} */ order) => {
  obey(order).then(tell, (/** @type {unknown} */ thrown) => {
    tell({ id: order.id, problem: thrown instanceof Error ? thrown.message : String(thrown) });
  });
});

/** @param {Order} order @returns {Promise<Reply>} */
async function obey(order) {
  if (order.work === 'heap') return { id: order.id, msEach: 0, value: heapBytes() };
  const { id, work, args, times } = order;
  const doIt = workOf(work);
  // Its process has slept while others were measured: what is timed begins with warm caches.
  let value = await doIt(...args);
  const began = performance.now();
  for (let time = 0; time < times; time++) value = await doIt(...args);
  return { id, msEach: (performance.now() - began) / times, value: typeof value === 'number' ? value : null };
}

/** @param {Work} work */
function workOf(work) {
  const able = /** @type {Partial<Record<Work, (...args: readonly number[]) => Promise<unknown>>>} */ (
    subject
  );
  const doIt = able[work];
  if (!doIt) throw new Error(`${module.name} cannot do ${work}`);
  return doIt;
}

function heapBytes() {
  // The second collection takes what finalizers of the first let go.
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

/** @param {Ready | Reply} message */
function tell(message) {
  process.send?.(message);
}

async function leave() {
  await subject.close?.();
  process.exit(0);
}
