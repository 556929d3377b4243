import { climb } from '../ladder.mjs';
import { withLineUp } from '../line-up.mjs';

/**
 * @import { Effort } from '../compare.mjs'
 * @import { Row } from '../report.mjs'
 */

const SIZES = [100, 1_000];
const MEMORY_US_MAX = 25;

export const name = 'asked';
export const title = 'Asked and answered: a person allows each call as soon as the question is there';

/** @param {Effort} effort @returns {Promise<Row[]>} */
export const run = (effort) =>
  withLineUp(async (lineUp) => {
    const { rows } = await climb(lineUp, 'ask', {
      sizes: SIZES,
      effort,
      targetOf: (subject) => (subject === lineUp.memory ? { atMost: MEMORY_US_MAX } : undefined),
    });
    return rows;
  });
