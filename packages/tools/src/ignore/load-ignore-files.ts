import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import {
  componentsBelow,
  decodeText,
  errnoOf,
  type HeldDirectory,
  lookInside,
  orNull,
} from '@countersign/host';
import { type IgnoreFile, parseIgnoreFile } from './ignore-rules.js';

const IGNORE_FILE_BYTES_MAX = 200_000; // hand-written files are a hundredth of that

/** One list of ignore files per name that such a file can have, the outermost file first. */
export type IgnoreFiles = readonly (readonly IgnoreFile[])[];

/** The ignore files that apply to a directory: those from the workspace's down to its own. */
export function loadIgnoreFiles(
  workspace: string,
  directory: string,
  fileNames: readonly string[],
): IgnoreFiles {
  const names = componentsBelow(workspace, directory) ?? [];
  let reached = names.length === 0 ? directory : workspace;
  let files = withIgnoreFilesOf(
    reached,
    fileNames,
    fileNames.map(() => []),
  );
  for (const name of names) {
    reached = `${reached}/${name}`;
    files = withIgnoreFilesOf(reached, fileNames, seenFromInside(files, name));
  }
  return files;
}

/** The rules of the directories above, as they apply to names in the directory `name`. */
export const seenFromInside = (files: IgnoreFiles, name: string): IgnoreFiles =>
  files.map((ofOneName) => ofOneName.map(({ rules, below }) => ({ rules, below: `${below}${name}/` })));

/** A directory that was replaced by a link has none: files outside do not decide what is shown. */
export function withIgnoreFilesOf(
  directory: string,
  fileNames: readonly string[],
  above: IgnoreFiles,
): IgnoreFiles {
  // Most directories have none, which a look at the path shows more quickly.
  const isAnyThere = fileNames.some((fileName) => isFile(`${directory}/${fileName}`));
  const texts = isAnyThere
    ? lookInside(directory, (held) => fileNames.map((fileName) => readIgnoreFile(held, fileName)))
    : null;
  return fileNames.map((_, index) => {
    const text = texts?.[index] ?? null;
    const outer = above[index] ?? [];
    return text === null ? outer : [...outer, { rules: parseIgnoreFile(text), below: '' }];
  });
}

const isFile = (path: string): boolean =>
  orNull(() => lstatSync(path, { throwIfNoEntry: false }))?.isFile() ?? false;

/**
 * null for one that cannot be used: nothing fails because of what only tidies a result. Without waiting, since most
 * directories have none, and to see that takes microseconds.
 */
function readIgnoreFile(directory: HeldDirectory, fileName: string): string | null {
  const path = directory.at(fileName);
  try {
    if (!isFile(path)) return null;
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      return textOf(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (errnoOf(error) !== null) return null;
    throw error;
  }
}

function textOf(file: number): string | null {
  const { size } = fstatSync(file);
  if (size > IGNORE_FILE_BYTES_MAX) return null;
  const buffer = Buffer.alloc(size);
  const bytesRead = readSync(file, buffer, 0, size, 0);
  return decodeText(buffer.subarray(0, bytesRead))?.text ?? null;
}
