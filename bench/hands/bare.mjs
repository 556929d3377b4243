// The least that the same work costs: what is promised, done by hand for this one case. Others can continue meanwhile.
import { spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readFile as readFileWithCallback, rmSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { rgPath } from '@vscode/ripgrep';
import {
  editedFile,
  FILES_AT_ONCE,
  LAST_SOURCE_LINE,
  LINES,
  MEGABYTES,
  NEEDLE,
  NEEDLES,
  revisionLine,
  SLEEP,
  SLEEPS,
  sourceFile,
  TREE_FILES,
  writtenFile,
  writtenText,
} from './workload.mjs';

/** @import { Hands, Printing } from './workload.mjs' */

export const name = 'bare';
export const version = () => process.version;

/** Half of what the one of `node:fs/promises` costs. */
const readFile = promisify(readFileWithCallback);

/** Not what is in question, and the same for both: respect ignore files, and nobody's settings. */
const RIPGREP_OPTIONS = ['--no-config', '--no-require-git', '--hidden'];

/** @param {string} workspace @returns {Promise<Hands>} */
export async function make(workspace) {
  const at = (/** @type {string} */ file) => join(workspace, file);
  const edited = at(editedFile('bare'));
  const written = at(writtenFile('bare'));
  const printed = at('printed');
  let edits = 0;
  let writes = 0;

  const read = async (/** @type {number} */ index) => {
    if (!(await readFile(at(sourceFile(index)), 'utf8')).includes(LAST_SOURCE_LINE))
      throw new Error('not all was read');
  };

  const glob = async () => {
    const listed = await ripgrep(workspace, ['--files', './']);
    if (countLines(listed) < TREE_FILES) throw new Error('not all were listed');
  };

  return {
    read: () => read(0),
    readMany: async () => {
      await Promise.all(Array.from({ length: FILES_AT_ONCE }, (_, index) => read(index)));
    },

    async edit() {
      const text = await readFile(edited, 'utf8');
      const changed = text.replace(revisionLine(edits), revisionLine(edits + 1));
      if (changed === text) throw new Error('nothing was replaced');
      await replaceFile(edited, changed);
      edits++;
    },

    async write() {
      await replaceFile(written, writtenText(++writes));
    },

    async grep() {
      const found = await ripgrep(workspace, ['--line-number', '--ignore-case', `--regexp=${NEEDLE}`, './']);
      if (countLines(found) !== NEEDLES) throw new Error('not all was found');
    },
    globSome: glob,
    globAll: glob,

    runTrue: () => bash('true'),
    runSleeps: async () => {
      await Promise.all(Array.from({ length: SLEEPS }, () => bash(SLEEP)));
    },
    printLines: () => print(LINES, printed),
    printMegabytes: () => print(MEGABYTES, printed),
  };
}

/** The old file is whole until the new one is on disk, and the new one survives a power failure. */
async function replaceFile(/** @type {string} */ path, /** @type {string} */ text) {
  const temporary = `${path}.tmp`;
  const file = await open(temporary, 'w');
  await file.writeFile(text);
  await file.sync();
  await file.close();
  await rename(temporary, path);
  const directory = await open(dirname(path), 'r');
  await directory.sync();
  await directory.close();
}

/** @param {Printing} printing @param {string} file @returns {Promise<number>} ms, without the tidying up */
async function print({ command, bytes }, file) {
  const began = performance.now();
  const output = openSync(file, 'w');
  await bash(command, output);
  const ms = performance.now() - began;
  if (fstatSync(output).size !== bytes) throw new Error('not all was printed');
  closeSync(output);
  rmSync(file);
  return ms;
}

/** @param {string} command @param {'ignore' | number} output @returns {Promise<void>} */
function bash(command, output = 'ignore') {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', command], { stdio: ['ignore', output, output] });
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${command} ended with ${code}`))));
  });
}

/** @param {string} directory @param {readonly string[]} args @returns {Promise<Buffer>} */
function ripgrep(directory, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(rgPath, [...RIPGREP_OPTIONS, ...args], {
      cwd: directory,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    /** @type {Buffer[]} */
    const pieces = [];
    child.stdout.on('data', (piece) => pieces.push(piece));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(Buffer.concat(pieces)) : reject(new Error(`rg: ${code}`)),
    );
  });
}

/** @param {Buffer} text */
function countLines(text) {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
