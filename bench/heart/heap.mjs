import { label, withLineUp } from '../line-up.mjs';

/**
 * @import { Effort } from '../compare.mjs'
 * @import { Row } from '../report.mjs'
 */

const BATCH = 1_000;
/** By then everything is there that stays in any case: compiled code, the latest facts for slow subscribers. */
const BATCHES_BEFORE = 10;
const BATCHES = 20;
const BYTES_MAX = 1_024;

export const name = 'heap';
export const title = 'Heap left per completed call, once its turn is over';

/** @param {Effort} effort @returns {Promise<Row[]>} */
export const run = (effort) =>
  withLineUp(async ({ floor, memory }) => {
    const batches = effort.rounds > 1 ? BATCHES : 1;
    /** @type {Row[]} */
    const rows = [];
    for (const subject of [floor, memory]) {
      await subject.measure('batch', [BATCH], BATCHES_BEFORE);
      const before = await subject.heapBytes();
      await subject.measure('batch', [BATCH], batches);
      // One more than was timed: the first is to warm up.
      const measured = ((await subject.heapBytes()) - before) / ((batches + 1) * BATCH);
      const target = subject === memory && { target: { atMost: BYTES_MAX } };
      rows.push({ what: label(subject), measured, unit: 'B', ...target });
    }
    return rows;
  });
