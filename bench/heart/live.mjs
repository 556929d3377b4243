import { compare, median, warmUp } from '../compare.mjs';
import { label, withLineUp } from '../line-up.mjs';

/**
 * @import { Effort } from '../compare.mjs'
 * @import { Row } from '../report.mjs'
 * @import { SubjectProcess } from '../subject-process.mjs'
 */

/** So many that starting a hundred calls does not count. */
const UPDATES = 100_000;
const MANY_CALLS = 100;
const ONE = [1, UPDATES];
const MANY = [MANY_CALLS, UPDATES / MANY_CALLS];
const RATIO_MAX = 1.5;

export const name = 'live';
export const title = 'An update of live output, with one front end attached';

/** @param {Effort} effort @returns {Promise<Row[]>} */
export const run = (effort) =>
  withLineUp(async ({ floor, memory, peers }) => {
    const subjects = [floor, memory, ...peers];
    /** @type {Row[]} */
    const rows = [];
    for (const args of [ONE, MANY]) {
      await warmUp(subjects, 'live', args, effort);
      for (const { subject, msEach, msBest, timesFloor } of await compare(subjects, 'live', args, {
        effort,
      })) {
        const what = `${args[0]} running: ${label(subject)}`;
        const perUpdate = (/** @type {number} */ ms) => (ms * 1_000) / UPDATES;
        rows.push({ what, measured: perUpdate(msEach), best: perUpdate(msBest), unit: 'µs', timesFloor });
      }
    }
    rows.push(await ratio(memory, effort));
    return rows;
  });

/**
 * Taken again in pairs: two medians of different minutes would compare the minutes.
 * @param {SubjectProcess} subject
 * @param {Effort} effort
 * @returns {Promise<Row>}
 */
async function ratio(subject, { rounds }) {
  const ratios = [];
  for (let round = 0; round < rounds; round++) {
    const alone = await subject.measure('live', ONE);
    const beside = await subject.measure('live', MANY);
    ratios.push(beside.msEach / alone.msEach);
  }
  const what = `${subject.name}: an update beside ${MANY_CALLS} against one alone`;
  return { what, measured: median(ratios), unit: '×', target: { atMost: RATIO_MAX } };
}
