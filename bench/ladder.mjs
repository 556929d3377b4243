import { compare, warmUp } from './compare.mjs';
import { label } from './line-up.mjs';

/**
 * @import { Effort } from './compare.mjs'
 * @import { LineUp } from './line-up.mjs'
 * @import { Row, Target } from './report.mjs'
 * @import { SubjectProcess } from './subject-process.mjs'
 *
 * @typedef {(subject: SubjectProcess, calls: number) => Target | undefined} TargetOf
 */

/** Small batches are repeated within a round until about this many calls are timed. */
const CALLS_PER_ROUND = 1_000;
/** A peer whose next batch would take longer than this, should its cost grow with the square, is omitted. */
const PEER_BATCH_MS_MAX = 15_000;

/**
 * Measures batches of growing size, and gives the cost of each call.
 * @param {LineUp} lineUp
 * @param {'batch' | 'ask'} work
 * @param {{ sizes: readonly number[], effort: Effort, targetOf: TargetOf }} options
 * @returns {Promise<{ rows: Row[], usPerCall: (subject: SubjectProcess, calls: number) => number }>}
 */
export async function climb({ all, peers }, work, { sizes, effort, targetOf }) {
  const able = all.filter((subject) => subject.can(work));
  await warmUp(able, work, [100], effort);

  /** @type {Row[]} */
  const rows = [];
  /** @type {Map<SubjectProcess, Map<number, number>>} by size */
  const batchMs = new Map(able.map((subject) => [subject, new Map()]));
  for (const [index, calls] of sizes.entries()) {
    const smaller = sizes[index - 1] ?? calls;
    const wouldEnd = (/** @type {SubjectProcess} */ subject) =>
      (batchMs.get(subject)?.get(smaller) ?? 0) * (calls / smaller) ** 2 <= PEER_BATCH_MS_MAX;
    const present = able.filter((subject) => !peers.includes(subject) || wouldEnd(subject));
    const what = (/** @type {SubjectProcess} */ subject) =>
      `batch of ${calls.toLocaleString('en')}: ${label(subject)}`;

    const times = Math.ceil(CALLS_PER_ROUND / calls);
    const compared = await compare(present, work, [calls], { effort, times });
    for (const { subject, msEach, msBest, timesFloor } of compared) {
      batchMs.get(subject)?.set(calls, msEach);
      const target = targetOf(subject, calls);
      rows.push({
        what: what(subject),
        measured: (msEach * 1_000) / calls,
        best: (msBest * 1_000) / calls,
        unit: 'µs',
        timesFloor,
        ...(target && { target }),
      });
    }
    for (const subject of able) {
      if (!present.includes(subject))
        rows.push({ what: what(subject), measured: 'left out: it might take too long' });
    }
  }
  const usPerCall = (/** @type {SubjectProcess} */ subject, /** @type {number} */ calls) =>
    ((batchMs.get(subject)?.get(calls) ?? Number.NaN) * 1_000) / calls;
  return { rows, usPerCall };
}
