// What the hands are asked to do: the same for the floor and for us.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Each does one piece of work, and throws if it was not really done. Not everybody can do everything.
 * @typedef {object} Hands
 * @property {() => Promise<void>} [read] one file of 200 lines
 * @property {() => Promise<void>} [readMany] 20 such files at once
 * @property {() => Promise<void>} [edit] one line of a file of 10,000
 * @property {() => Promise<void>} [write] 1 MB over a file of 1 MB
 * @property {() => Promise<void>} [grep]
 * @property {() => Promise<void>} [globSome] a fifth of the tree
 * @property {() => Promise<void>} [globAll] all of it
 * @property {() => Promise<void>} [runTrue]
 * @property {() => Promise<void>} [runSleeps]
 * @property {() => Promise<number>} [printLines] gives ms; what was printed is removed before more is
 * @property {() => Promise<number>} [printMegabytes] likewise
 * @property {() => Promise<number>} [peakMegabytes] resident memory at its highest, above what it was before the first print
 * @property {() => Promise<void>} [close]
 */

const SOURCE_LINES = 200;
const EDITED_LINES = 10_000;
export const FILES_AT_ONCE = 20;
const WRITTEN_LINES = linesOf(19_300); // 1 MB

export const TREE_FILES = 20_000;
const FILES_PER_DIRECTORY = 50;
const DIRECTORIES_PER_DIRECTORY = 20;
const EXTENSIONS = ['ts', 'js', 'md', 'json', 'css'];
const FILES_PER_NEEDLE = 250;
const TREE_FILE_LINES = 40;
export const NEEDLE = 'needleInTheHay';
export const NEEDLES = TREE_FILES / FILES_PER_NEEDLE;
export const TREE_FILES_OF_ONE_KIND = TREE_FILES / EXTENSIONS.length;

export const SLEEPS = 10;
export const SLEEP = 'sleep 0.1';
/** @typedef {{ command: string, bytes: number }} Printing */
/** @type {Printing} */
export const LINES = { command: 'seq 50000', bytes: 288_894 };
/** @type {Printing} */
export const MEGABYTES = {
  command: "yes 'a line as builds and tests print it' | head -c 100000000",
  bytes: 100_000_000,
};

/** @param {number} index */
export const sourceFile = (index) => `source-${index}.ts`;
export const LAST_SOURCE_LINE = lineOf(SOURCE_LINES - 1);

/** Each changes files of its own. @typedef {'bare' | 'bare sync' | 'ours'} Whose */
/** @param {Whose} whose */
export const editedFile = (whose) => `edited ${whose}.ts`;
/** @param {Whose} whose */
export const writtenFile = (whose) => `written ${whose}.ts`;

/** @param {string} workspace */
export function makeFiles(workspace) {
  const put = (/** @type {string} */ file, /** @type {string} */ text) =>
    writeFileSync(join(workspace, file), text);
  for (let index = 0; index < FILES_AT_ONCE; index++) put(sourceFile(index), linesOf(SOURCE_LINES));
  const half = linesOf(EDITED_LINES / 2);
  for (const whose of /** @type {const} */ (['bare', 'bare sync', 'ours'])) {
    put(editedFile(whose), `${half}${revisionLine(0)}\n${half}`);
    put(writtenFile(whose), writtenText(0));
  }
}

/** The one line of its file that says this. @param {number} revision */
export const revisionLine = (revision) => `export const revision = ${revision};`;

/** No two are the same. @param {number} revision */
export const writtenText = (revision) => `${revisionLine(revision)}\n${WRITTEN_LINES}`;

/** Directories within directories, with an ignore file that every path is held against. @param {string} workspace */
export function makeTree(workspace) {
  writeFileSync(join(workspace, '.gitignore'), 'node_modules/\n/dist/\n*.log\n');
  const text = linesOf(TREE_FILE_LINES);
  for (let index = 0; index < TREE_FILES; index++) {
    const inner = Math.floor(index / FILES_PER_DIRECTORY);
    const directory = join(
      workspace,
      `part-${Math.floor(inner / DIRECTORIES_PER_DIRECTORY)}`,
      `module-${inner}`,
    );
    if (index % FILES_PER_DIRECTORY === 0) mkdirSync(directory, { recursive: true });
    const needle = index % FILES_PER_NEEDLE === 0 ? `${NEEDLE}(${index});\n` : '';
    const name = `file-${index}.${EXTENSIONS[index % EXTENSIONS.length]}`;
    writeFileSync(join(directory, name), `// ${name}\n${text}${needle}`);
  }
}

/** @param {number} lines */
function linesOf(lines) {
  return Array.from({ length: lines }, (_, index) => `${lineOf(index)}\n`).join('');
}

/** @param {number} index */
function lineOf(index) {
  return `  const value${index} = compute(${index}, 'a line of code');`;
}
