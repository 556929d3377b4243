import { climb } from '../ladder.mjs';
import { withLineUp } from '../line-up.mjs';
import { isInstalled, PEERS } from '../peers.mjs';

/**
 * @import { Effort } from '../compare.mjs'
 * @import { Row } from '../report.mjs'
 */

const SIZES = [1, 10, 100, 1_000, 10_000];
const MEMORY_US_MAX = 20;
const SQLITE_US_MAX = 60;
/** Work per call must not grow with their number. */
const GROWTH_MAX = 2;

export const name = 'calls';
export const title = 'Cost per trivial call, by size of the batch';

/** @param {Effort} effort @returns {Promise<Row[]>} */
export const run = (effort) =>
  withLineUp(async (lineUp) => {
    const { memory, sqlite } = lineUp;
    const { rows, usPerCall } = await climb(lineUp, 'batch', {
      sizes: SIZES,
      effort,
      targetOf: (subject, calls) => {
        if (subject === memory && calls >= 1_000) return { atMost: MEMORY_US_MAX };
        return subject === sqlite && calls === 1_000 ? { atMost: SQLITE_US_MAX } : undefined;
      },
    });
    const growth = usPerCall(memory, 10_000) / usPerCall(memory, 100);
    const what = `${memory.name}: a call among 10,000 against one among 100`;
    return [...rows, { what, measured: growth, unit: '×', target: { atMost: GROWTH_MAX } }, ...absentPeers()];
  });

/** @returns {Row[]} */
function absentPeers() {
  const absent = PEERS.filter((peer) => !isInstalled(peer));
  return absent.map((peer) => ({ what: peer.package, measured: 'not installed: see bench/README.md' }));
}
