import { SubjectProcess } from '../subject-process.mjs';

/**
 * @import { Effort } from '../compare.mjs'
 * @import { Row } from '../report.mjs'
 */

const BATCH = 1_000;
/** What is kept in any case (compiled code, the latest facts for slow subscribers) is there by then. */
const BATCHES_BEFORE = 10;
const BATCHES = 20;
const BYTES_MAX = 1_024;

export const name = 'heap';
export const title = 'Heap left per completed call, once its turn is over';

/** @param {Effort} effort @returns {Promise<Row[]>} */
export async function run(effort) {
  const batches = effort.rounds > 1 ? BATCHES : BATCHES / 4;
  /** @type {Row[]} */
  const rows = [];
  for (const file of ['floor.mjs', 'countersign-memory.mjs']) {
    const subject = await SubjectProcess.start(file);
    await subject.measure('batch', [BATCH], BATCHES_BEFORE);
    const before = await subject.heapBytes();
    await subject.measure('batch', [BATCH], batches);
    const left = (await subject.heapBytes()) - before;
    subject.stop();
    const target = file !== 'floor.mjs' && { target: { atMost: BYTES_MAX } };
    rows.push({
      what: `${subject.name} ${subject.version}`,
      measured: left / (batches * BATCH),
      unit: 'B',
      ...target,
    });
  }
  return rows;
}
