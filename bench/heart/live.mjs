import { compare, median, warmUp } from '../compare.mjs';
import { SubjectProcess } from '../subject-process.mjs';

/**
 * @import { Effort } from '../compare.mjs'
 * @import { Row } from '../report.mjs'
 */

const UPDATES = 20_000;
const MANY_CALLS = 100;
const RATIO_MAX = 1.5;

export const name = 'live';
export const title = 'An update of live output, with one front end attached';

/** @param {Effort} effort @returns {Promise<Row[]>} */
export async function run(effort) {
  const floor = await SubjectProcess.start('floor.mjs');
  const memory = await SubjectProcess.start('countersign-memory.mjs');
  const subjects = [floor, memory];
  const one = [1, UPDATES];
  const many = [MANY_CALLS, UPDATES / MANY_CALLS];
  await warmUp(subjects, 'live', one, effort);
  await warmUp(subjects, 'live', many, effort);

  /** @type {Row[]} */
  const rows = [];
  for (const args of [one, many]) {
    for (const { subject, msEach, timesFloor } of await compare(subjects, 'live', args, { effort })) {
      const what = `${args[0]} running: ${subject.name} ${subject.version}`;
      rows.push({ what, measured: (msEach * 1_000) / UPDATES, unit: 'µs', timesFloor });
    }
  }
  rows.push(await ratio(memory, one, many, effort));
  for (const subject of subjects) subject.stop();
  return rows;
}

/**
 * Taken anew in pairs: two medians of different minutes would compare the minutes.
 * @param {SubjectProcess} subject
 * @param {readonly number[]} one
 * @param {readonly number[]} many
 * @param {Effort} effort
 * @returns {Promise<Row>}
 */
async function ratio(subject, one, many, { rounds }) {
  const ratios = [];
  for (let round = 0; round < rounds; round++) {
    const alone = await subject.measure('live', one);
    const beside = await subject.measure('live', many);
    ratios.push(beside.msEach / alone.msEach);
  }
  return {
    what: `${subject.name}: ${MANY_CALLS} running against 1`,
    measured: median(ratios),
    unit: '×',
    target: { atMost: RATIO_MAX },
  };
}
