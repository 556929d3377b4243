import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compare, warmUp } from '../compare.mjs';
import { SubjectProcess } from '../subject-process.mjs';

/**
 * @import { Compared, Effort } from '../compare.mjs'
 * @import { Row } from '../report.mjs'
 * @import { Hands } from './workload.mjs'
 *
 * @typedef {object} Task
 * @property {Exclude<keyof Hands, 'close'>} work
 * @property {string} what
 * @property {string} bare what the floor does
 * @property {'µs' | 'ms'} unit
 * @property {number} [times] how often within a round
 * @property {'elapsed' | 'told'} [value]
 * @property {number} [timesBareMax] the target
 *
 * @typedef {object} LineUp
 * @property {SubjectProcess} bare
 * @property {SubjectProcess} ours
 * @property {SubjectProcess} bareSync
 */

/** What takes milliseconds is mostly done by others: it is not compiled while it runs, and many rounds take long. */
const SLOW = { rounds: 7, warmUpMs: 500 };

/**
 * A workspace, and processes that work in it by turns.
 * @template T
 * @param {(workspace: string) => void} prepare
 * @param {(lineUp: LineUp) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function inWorkspace(prepare, work) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-bench-')));
  const workspace = join(base, 'workspace');
  try {
    mkdirSync(workspace);
    prepare(workspace);
    const bare = await SubjectProcess.start('hands/bare.mjs', { workspace });
    const ours = await SubjectProcess.start('hands/countersign.mjs', { workspace });
    const bareSync = await SubjectProcess.start('hands/bare-sync.mjs', { workspace });
    const result = await work({ bare, ours, bareSync });
    for (const subject of [bare, ours, bareSync]) await subject.stop();
    return result;
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

/**
 * @param {LineUp} lineUp
 * @param {readonly Task[]} tasks
 * @param {Effort} effort
 * @returns {Promise<Row[]>}
 */
export async function besideBare(lineUp, tasks, effort) {
  /** @type {Row[]} */
  const rows = [];
  for (const task of tasks) rows.push(...(await measure(lineUp, task, effort)));
  return rows;
}

/** @param {LineUp} lineUp @param {Task} task @param {Effort} allowed @returns {Promise<Row[]>} */
async function measure({ bare, ours, bareSync }, task, allowed) {
  const { work, unit, times = 1, value = 'elapsed', timesBareMax } = task;
  const subjects = [bare, ours, bareSync];
  const isQuick = allowed.rounds === 1;
  const effort = unit === 'ms' && !isQuick ? SLOW : allowed;
  await warmUp(subjects, work, [], effort);
  const [floor, mine, other] = await compare(subjects, work, [], {
    effort,
    times: isQuick ? 1 : times,
    value,
  });
  if (!floor || !mine) throw new Error(`Nobody can ${work}`);

  const time = (/** @type {string} */ what, /** @type {Compared} */ { msEach, msBest }) => {
    const inUnit = (/** @type {number} */ ms) => (unit === 'µs' ? ms * 1_000 : ms);
    return { what, measured: inUnit(msEach), best: inUnit(msBest), unit };
  };
  const beside = (/** @type {Compared} */ { timesFloor, msBest }) => ({
    what: '    countersign beside it',
    measured: mine.timesFloor / timesFloor,
    best: mine.msBest / msBest,
    unit: /** @type {const} */ ('×'),
  });
  const target = timesBareMax === undefined ? {} : { target: { atMost: timesBareMax } };
  return [
    time(task.what, mine),
    time(`  bare: ${task.bare}`, floor),
    { ...beside(floor), ...target },
    ...(other ? [time(`  ${other.subject.name}`, other), beside(other)] : []),
  ];
}
