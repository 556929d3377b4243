import { besideBare, inWorkspace } from './beside-bare.mjs';
import { makeFiles } from './workload.mjs';

/**
 * @import { Effort } from '../compare.mjs'
 * @import { Row } from '../report.mjs'
 * @import { Task } from './beside-bare.mjs'
 */

const TIMES_BARE_MAX = 3;

/** @type {readonly Task[]} */
const TASKS = [
  {
    work: 'read',
    what: 'read_file, 200 lines',
    bare: 'open, read, close, decode',
    unit: 'µs',
    times: 300,
    timesBareMax: TIMES_BARE_MAX,
  },
  {
    work: 'readMany',
    what: 'read_file, 20 files in one batch',
    bare: 'the same for each of 20',
    unit: 'µs',
    times: 30,
    timesBareMax: TIMES_BARE_MAX,
  },
  {
    work: 'edit',
    what: 'replace, one line of 10,000',
    bare: 'read, replace, write anew, sync, rename, sync directory',
    unit: 'ms',
    times: 5,
    timesBareMax: TIMES_BARE_MAX,
  },
  {
    work: 'write',
    what: 'write_file, 1 MB over 1 MB',
    bare: 'write anew, sync, rename, sync directory',
    unit: 'ms',
    times: 5,
    timesBareMax: TIMES_BARE_MAX,
  },
];

export const name = 'files';
export const title = 'Reading and writing files, beside bare file operations';

/** @param {Effort} effort @returns {Promise<Row[]>} */
export const run = (effort) => inWorkspace(makeFiles, (lineUp) => besideBare(lineUp, TASKS, effort));
