import { compare, warmUp } from '../compare.mjs';
import { label, withLineUp } from '../line-up.mjs';

/**
 * @import { Effort } from '../compare.mjs'
 * @import { Row } from '../report.mjs'
 */

const MS_MAX = 2;

export const name = 'beside-waiting';
export const title = 'Allowed calls beside one that waits for a person: until the last of nine has started';

/** @param {Effort} effort @returns {Promise<Row[]>} */
export const run = (effort) =>
  withLineUp(async ({ memory, sqlite, all }) => {
    // Waiting takes most of the time, so the code is warmed up by other work.
    await warmUp(all, 'ask', [10], effort);
    await warmUp(all, 'batch', [10], effort);
    const compared = await compare(all, 'startBesideWaiting', [], { effort, value: 'told' });
    return compared.map(({ subject, msEach, msBest, timesFloor }) => ({
      what: label(subject),
      measured: msEach,
      best: msBest,
      unit: 'ms',
      timesFloor,
      ...((subject === memory || subject === sqlite) && { target: { atMost: MS_MAX } }),
    }));
  });
