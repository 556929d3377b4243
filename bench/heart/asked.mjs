import { compare, warmUp } from '../compare.mjs';
import { SubjectProcess } from '../subject-process.mjs';

/**
 * @import { Effort } from '../compare.mjs'
 * @import { Row } from '../report.mjs'
 */

const SIZES = [100, 1_000];
const MICROSECONDS_MAX = 25;

export const name = 'asked';
export const title = 'Asked and answered: a person allows each call as soon as the question is there';

/** @param {Effort} effort @returns {Promise<Row[]>} */
export async function run(effort) {
  const floor = await SubjectProcess.start('floor.mjs');
  const memory = await SubjectProcess.start('countersign-memory.mjs');
  const subjects = [floor, memory];
  await warmUp(subjects, 'ask', [100], effort);

  /** @type {Row[]} */
  const rows = [];
  for (const calls of SIZES) {
    for (const { subject, msEach, timesFloor } of await compare(subjects, 'ask', [calls], { effort })) {
      const what = `batch of ${calls.toLocaleString('en')}: ${subject.name} ${subject.version}`;
      const target = subject === memory && { target: { atMost: MICROSECONDS_MAX } };
      rows.push({ what, measured: (msEach * 1_000) / calls, unit: 'µs', timesFloor, ...target });
    }
  }
  for (const subject of subjects) subject.stop();
  return rows;
}
