import { compare } from '../compare.mjs';
import { label } from '../line-up.mjs';
import { SubjectProcess } from '../subject-process.mjs';

/**
 * @import { Compared, Effort } from '../compare.mjs'
 * @import { Row } from '../report.mjs'
 */

const TIMES_BARE_MAX = 1.5;
/** Calls of a fraction of a millisecond are timed by the hundred. */
const TIMES = 200;
/** As many in a row as take about as long as a warm-up should: told one by one, half of it would be the telling. */
const CALLS_PER_MS = 2;

export const name = 'mcp';
export const title = "One call of an MCP server's tool over stdio, beside the official client";

/** @param {Effort} effort @returns {Promise<Row[]>} */
export async function run(effort) {
  const bare = await SubjectProcess.start('mcp/bare.mjs');
  const ours = await SubjectProcess.start('mcp/countersign.mjs');
  const subjects = [bare, ours];
  for (const subject of subjects) await subject.measure('callTool', [], effort.warmUpMs * CALLS_PER_MS);
  const compared = await compare(subjects, 'callTool', [], { effort, times: TIMES });
  for (const subject of subjects) await subject.stop();
  const [floor, mine] = compared;
  if (!floor || !mine) throw new Error('somebody cannot call');
  const time = (/** @type {Compared} */ { subject, msEach, msBest }) => ({
    what: label(subject),
    measured: msEach * 1_000,
    best: msBest * 1_000,
    unit: /** @type {const} */ ('µs'),
  });
  const beside = {
    measured: mine.timesFloor,
    best: mine.msBest / floor.msBest,
    unit: /** @type {const} */ ('×'),
  };
  return [
    time(mine),
    time(floor),
    { what: '    countersign beside it', ...beside, target: { atMost: TIMES_BARE_MAX } },
  ];
}
