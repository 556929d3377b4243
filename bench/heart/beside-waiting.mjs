import { compare, warmUp } from '../compare.mjs';
import { SubjectProcess } from '../subject-process.mjs';

/**
 * @import { Effort } from '../compare.mjs'
 * @import { Row } from '../report.mjs'
 */

const MS_MAX = 2;

export const name = 'beside-waiting';
export const title = 'Allowed calls beside one that waits for a person: until the last of nine has started';

/** @param {Effort} effort @returns {Promise<Row[]>} */
export async function run(effort) {
  const floor = await SubjectProcess.start('floor.mjs');
  const memory = await SubjectProcess.start('countersign-memory.mjs');
  const sqlite = await SubjectProcess.start('countersign-sqlite.mjs');
  const subjects = [floor, memory, sqlite];
  await warmUp(subjects, 'startBesideWaiting', [], effort);

  const compared = await compare(subjects, 'startBesideWaiting', [], { effort, value: 'told' });
  for (const subject of subjects) subject.stop();
  return compared.map(({ subject, msEach, timesFloor }) => ({
    what: `${subject.name} ${subject.version}`,
    measured: msEach,
    unit: 'ms',
    timesFloor,
    ...(subject !== floor && { target: { atMost: MS_MAX } }),
  }));
}
