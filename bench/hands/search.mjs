import { besideBare, inWorkspace } from './beside-bare.mjs';
import { makeTree } from './workload.mjs';

/**
 * @import { Effort } from '../compare.mjs'
 * @import { Row } from '../report.mjs'
 * @import { Task } from './beside-bare.mjs'
 */

/** @type {readonly Task[]} */
const TASKS = [
  {
    work: 'grep',
    what: 'grep_search, 80 matches',
    bare: 'ripgrep, the same search',
    unit: 'ms',
    timesBareMax: 1.15,
  },
  {
    work: 'globSome',
    what: 'glob, 4,000 files newest first',
    bare: 'ripgrep, names of all files',
    unit: 'ms',
    timesBareMax: 2,
  },
  {
    work: 'globAll',
    what: 'glob, all 20,000 files newest first',
    bare: 'ripgrep, names of all files',
    unit: 'ms',
    timesBareMax: 2,
  },
];

export const name = 'search';
export const title = 'Searching a tree of 20,000 files, beside ripgrep';

/** @param {Effort} effort @returns {Promise<Row[]>} */
export const run = (effort) => inWorkspace(makeTree, (lineUp) => besideBare(lineUp, TASKS, effort));
