/** @import { SubjectProcess, Work } from './subject-process.mjs' */

/**
 * @typedef {object} Effort how much time to spend on being sure
 * @property {number} rounds
 * @property {number} warmUpMs for each subject and kind of work, so that compiled code is measured
 *
 * @typedef {object} Compared
 * @property {SubjectProcess} subject
 * @property {number} msEach median over the rounds
 * @property {number} msBest of all rounds: what it costs when nothing disturbs it
 * @property {number} timesFloor median of its ratio to the first subject of the same round
 */

/** @type {Effort} */
export const THOROUGH = { rounds: 11, warmUpMs: 2_000 };
/** @type {Effort} */
export const QUICK = { rounds: 1, warmUpMs: 0 };

/** Rounds that take longer than this tell enough after a few. */
const LONG_MS = 1_000;
const LONG_ROUNDS = 3;

/**
 * Measures subjects in turns, round by round: the machine is shared, and what
 * disturbs a round disturbs all that are compared in it.
 * @param {readonly SubjectProcess[]} subjects the first is the floor
 * @param {Work} work
 * @param {readonly number[]} args
 * @param {{ effort: Effort, times?: number, value?: 'elapsed' | 'told' }} options `told`: the subject gives the number itself
 * @returns {Promise<Compared[]>}
 */
export async function compare(subjects, work, args, { effort, times = 1, value = 'elapsed' }) {
  const able = subjects.filter((subject) => subject.can(work));
  const measured = new Map(able.map((subject) => [subject, /** @type {number[]} */ ([])]));
  for (let round = 0; round < effort.rounds; round++) {
    for (const [subject, values] of measured) {
      if (round >= LONG_ROUNDS && median(values) * times > LONG_MS) continue;
      values.push(await measureOnce(subject, work, args, times, value));
    }
  }
  const [floor = []] = measured.values();
  return Array.from(measured, ([subject, values]) => ({
    subject,
    msEach: median(values),
    msBest: Math.min(...values),
    timesFloor: median(values.map((one, round) => one / (floor[round] ?? Number.NaN))),
  }));
}

/**
 * @param {readonly SubjectProcess[]} subjects
 * @param {Work} work
 * @param {readonly number[]} args
 * @param {Effort} effort
 */
export async function warmUp(subjects, work, args, { warmUpMs }) {
  for (const subject of subjects) {
    const enoughAt = performance.now() + warmUpMs;
    while (subject.can(work) && performance.now() < enoughAt) await subject.measure(work, args);
  }
}

/** @param {SubjectProcess} subject @param {Work} work @param {readonly number[]} args @param {number} times @param {'elapsed' | 'told'} value */
async function measureOnce(subject, work, args, times, value) {
  const measured = await subject.measure(work, args, times);
  if (value === 'told') return measured.value ?? Number.NaN;
  const baseline = subject.can('baseline') ? await subject.measure('baseline', [], times) : null;
  // In a noisy round the baseline may come out above the whole.
  return Math.max(0, measured.msEach - (baseline?.msEach ?? 0));
}

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}
