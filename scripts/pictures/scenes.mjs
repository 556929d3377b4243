import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @import { Place } from '../terminal/in-terminal.mjs'
 *
 * @typedef {object} Scene
 * @property {string} name of the picture
 * @property {string} title for who does not see it
 * @property {'dark' | 'light'} theme
 * @property {number} [columns]
 * @property {number} [rows]
 * @property {readonly string[]} args
 * @property {readonly (readonly object[])[]} answers of the model
 * @property {string} says what the person types
 * @property {string} until what the picture shows
 */

const BEFORE = `import { readTide } from './tide.js';

/** When a ship may enter. */
export function mayEnter(ship) {
  const tide = readTide();
  return tide.depth > ship.draught;
}
`;
const AFTER = `import { readTide } from './tide.js';

/** Water that must be left under the keel, in metres. */
const CLEARANCE = 0.5;

/** When a ship may enter. */
export function mayEnter(ship) {
  const tide = readTide();
  return tide.depth >= ship.draught + CLEARANCE;
}
`;

/** @param {Place} place */
export function makeHarbour({ workspace }) {
  writeFileSync(join(workspace, 'harbour.js'), BEFORE);
  writeFileSync(join(workspace, 'tide.js'), 'export const readTide = () => ({ depth: 7.5 });\n');
  writeFileSync(join(workspace, 'package.json'), '{ "type": "module" }\n');
}

const text = (/** @type {string} */ words) => ({ text: words });
const call = (/** @type {string} */ name, /** @type {object} */ args) => ({ functionCall: { name, args } });
const command = (/** @type {string} */ line) => call('run_shell_command', { command: line });

const ASKED = 'Ships run aground. Leave half a metre under the keel.';
const edit = call('write_file', { file_path: 'harbour.js', content: AFTER });
const look = [
  text('I look at how the depth is compared.'),
  call('read_file', { file_path: 'harbour.js' }),
  call('grep_search', { pattern: 'readTide' }),
];

/** @type {readonly Scene[]} */
export const SCENES = [
  {
    name: 'terminal-edit',
    title: 'A change is asked about: the diff, the rule that wants it asked, and every answer',
    theme: 'dark',
    columns: 90,
    rows: 34,
    args: [],
    answers: [look, [edit], [text('Done.')]],
    says: ASKED,
    until: 'Apply this change?',
  },
  {
    name: 'terminal-light',
    title: 'The same question on a light background',
    theme: 'light',
    columns: 90,
    rows: 34,
    args: [],
    answers: [look, [edit], [text('Done.')]],
    says: ASKED,
    until: 'Apply this change?',
  },
  {
    name: 'terminal-command',
    title: 'A risky command is asked about, with what it could do',
    theme: 'dark',
    columns: 90,
    rows: 24,
    args: [],
    answers: [
      [text('I publish it.'), command('git push --force origin main && rm -rf build')],
      [text('Done.')],
    ],
    says: 'Publish it.',
    until: 'Allow execution?',
  },
  {
    name: 'terminal-streams',
    title: 'Several calls at once, each a card with the end of what it prints',
    theme: 'dark',
    columns: 90,
    rows: 24,
    args: ['--yolo'],
    answers: [
      [
        text('I test, build and lint at the same time.'),
        ...['test', 'build', 'lint', 'docs'].map((name) =>
          command(`for i in $(seq 1 400); do echo "${name}: step $i of 400"; sleep 0.05; done`),
        ),
      ],
      [text('All is well.')],
    ],
    says: 'Is everything in order?',
    until: 'docs: step 3',
  },
  {
    name: 'terminal-session',
    title: 'A session: messages, calls and their results',
    theme: 'dark',
    columns: 90,
    rows: 34,
    args: ['--mode', 'auto_edit'],
    answers: [
      look,
      [edit],
      [command('wc -l harbour.js tide.js')],
      [
        text(
          'A ship now needs **0.5 m** of water under its keel:\n\n- `CLEARANCE` says how much\n- `mayEnter` asks for it',
        ),
      ],
    ],
    says: ASKED,
    until: 'asks for it',
  },
];
