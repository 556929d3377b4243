// The same file operations without waiting in line. Everybody else is held up for as long as the disk takes.
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  editedFile,
  FILES_AT_ONCE,
  LAST_SOURCE_LINE,
  revisionLine,
  sourceFile,
  writtenFile,
  writtenText,
} from './workload.mjs';

/** @import { Hands } from './workload.mjs' */

export const name = 'bare, without waiting in line';
export const version = () => process.version;

/** @param {string} workspace @returns {Promise<Hands>} */
export async function make(workspace) {
  const at = (/** @type {string} */ file) => join(workspace, file);
  const edited = at(editedFile('bare sync'));
  const written = at(writtenFile('bare sync'));
  let edits = 0;
  let writes = 0;

  const read = (/** @type {number} */ index) => {
    if (!readFileSync(at(sourceFile(index)), 'utf8').includes(LAST_SOURCE_LINE))
      throw new Error('not all was read');
  };

  return {
    read: async () => read(0),
    readMany: async () => {
      for (let index = 0; index < FILES_AT_ONCE; index++) read(index);
    },
    async edit() {
      const text = readFileSync(edited, 'utf8');
      const changed = text.replace(revisionLine(edits), revisionLine(edits + 1));
      if (changed === text) throw new Error('nothing was replaced');
      replaceFile(edited, changed);
      edits++;
    },
    write: async () => replaceFile(written, writtenText(++writes)),
  };
}

function replaceFile(/** @type {string} */ path, /** @type {string} */ text) {
  const temporary = `${path}.tmp`;
  const file = openSync(temporary, 'w');
  writeSync(file, text);
  fsyncSync(file);
  closeSync(file);
  renameSync(temporary, path);
  const directory = openSync(dirname(path), 'r');
  fsyncSync(directory);
  closeSync(directory);
}
