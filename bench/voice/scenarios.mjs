import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @import { ModelServer, Wanted } from './model-server.mjs'
 *
 * @typedef {object} Scenario
 * @property {string} what
 * @property {string} bare what the floor does
 * @property {readonly Wanted[]} script
 * @property {string} shows what the last result must hold, or the work was not done
 */

const LINES = 200;
const READS = 20;
const textFile = (/** @type {number} */ number) => `file-${number}.txt`;
const lastLine = (/** @type {number} */ number) => `the end of file ${number}`;
const EDITED = 'edited.txt';
const EDITED_LINES = 10_000;

/** @param {number} number @returns {Wanted} */
const read = (number) => ({ name: 'read_file', args: { file_path: textFile(number) } });

/** @type {readonly Scenario[]} */
export const SCENARIOS = [
  { what: 'one read', bare: 'readFile', script: [read(0)], shows: lastLine(0) },
  {
    what: `${READS} reads one after the other, each`,
    bare: 'readFile',
    script: Array.from({ length: READS }, (_, number) => read(number)),
    shows: lastLine(READS - 1),
  },
  {
    what: 'a command, true',
    bare: 'bash -c',
    script: [{ name: 'run_shell_command', args: { command: 'true' } }],
    shows: '',
  },
  {
    what: 'an edit in 10,000 lines',
    bare: 'readFile, replace, writeFile',
    script: [
      {
        name: 'replace',
        args: { file_path: EDITED, old_string: 'line 5000 before', new_string: 'line 5000 after' },
      },
    ],
    shows: '',
  },
];

export function makeFiles(/** @type {string} */ workspace) {
  for (let number = 0; number < READS; number++) {
    const lines = Array.from({ length: LINES - 1 }, (_, line) => `file ${number}, line ${line}`);
    writeFileSync(join(workspace, textFile(number)), `${lines.join('\n')}\n${lastLine(number)}\n`);
  }
  const lines = Array.from({ length: EDITED_LINES }, (_, line) => `line ${line} before`);
  writeFileSync(join(workspace, EDITED), `${lines.join('\n')}\n`);
}

/** @param {Scenario} scenario @param {ModelServer} model @param {string} workspace */
export function checkWork({ what, script, shows }, model, workspace) {
  const told = model.asked.at(-1)?.results.at(-1) ?? '';
  if (!told.includes(shows)) throw new Error(`${what}: the model was told ${told.slice(0, 500)}`);
  const isEdit = script.some(({ name }) => name === 'replace');
  if (isEdit !== readFileSync(join(workspace, EDITED), 'utf8').includes('line 5000 after'))
    throw new Error(`${what}: the file is ${isEdit ? 'not ' : ''}edited`);
}
