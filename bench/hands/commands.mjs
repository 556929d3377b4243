import { besideBare, inWorkspace } from './beside-bare.mjs';

/**
 * @import { Effort } from '../compare.mjs'
 * @import { Row } from '../report.mjs'
 * @import { Task } from './beside-bare.mjs'
 */

/** @type {readonly Task[]} */
const TASKS = [
  {
    work: 'runTrue',
    what: 'run_shell_command, true',
    bare: 'bash -c true',
    unit: 'ms',
    times: 5,
    timesBareMax: 2.5,
  },
  {
    work: 'runSleeps',
    what: 'ten sleeps of 100 ms in one batch',
    bare: 'bash -c, ten at once',
    unit: 'ms',
    timesBareMax: 1.3,
  },
];

/** @type {readonly Task[]} */
const PRINTING = [
  {
    work: 'printLines',
    what: '50,000 lines',
    bare: 'bash -c, into a file',
    unit: 'ms',
    value: 'told',
  },
  {
    work: 'printMegabytes',
    what: '100 MB',
    bare: 'bash -c, into a file',
    unit: 'ms',
    value: 'told',
    timesBareMax: 1.5,
  },
];
const GROWTH_MB_MAX = 20;

export const name = 'commands';
export const title = 'Running commands, beside bash itself';

/** @param {Effort} effort @returns {Promise<Row[]>} */
export async function run(effort) {
  const rows = await inEmptyWorkspace((lineUp) => besideBare(lineUp, [...TASKS, ...PRINTING], effort));
  for (const { work, what } of PRINTING) rows.push(await growth(work, what));
  return rows;
}

/**
 * In a process that has done nothing else: memory that was once needed for something is not given back.
 * @param {Task['work']} work
 * @param {string} what
 * @returns {Promise<Row>}
 */
const growth = (work, what) =>
  inEmptyWorkspace(async ({ ours }) => {
    // What every command needs is loaded before memory is looked at.
    await ours.measure('runTrue', []);
    await ours.measure(work, []);
    const { value } = await ours.measure('peakMegabytes', []);
    const measured = value ?? Number.NaN;
    return {
      what: `${what}: more memory resident, at most`,
      measured,
      unit: 'MB',
      target: { atMost: GROWTH_MB_MAX },
    };
  });

/**
 * @template T
 * @param {Parameters<typeof inWorkspace<T>>[1]} work
 */
const inEmptyWorkspace = (work) => inWorkspace(() => {}, work);
