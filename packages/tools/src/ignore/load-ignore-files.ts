import { ToolFailure } from '@countersign/engine';
import { errnoOf } from '../file-failure.js';
import { componentsBelow } from '../paths/components.js';
import { readWholeFile } from '../paths/open-file.js';
import { insideDirectory } from '../paths/open-inside.js';
import { decodeText } from '../text/decode-text.js';
import { type IgnoreFile, parseIgnoreFile } from './ignore-rules.js';

const IGNORE_FILE_BYTES_MAX = 200_000; // hand-written files are a hundredth of that

/** The ignore files of this name that speak about a directory: from the workspace's down to its own, outermost first. */
export async function loadIgnoreFiles(
  workspace: string,
  directory: string,
  fileName: string,
): Promise<IgnoreFile[]> {
  const names = componentsBelow(workspace, directory) ?? [];
  const top = names.length === 0 ? directory : workspace;
  const files: IgnoreFile[] = [];
  for (let depth = 0; depth <= names.length; depth += 1) {
    const text = await readIgnoreFile([top, ...names.slice(0, depth)].join('/'), fileName);
    if (text !== null) files.push({ rules: parseIgnoreFile(text), below: names.slice(depth) });
  }
  return files;
}

/** null if there is none that can be used: a listing does not fail because of what only tidies it. */
async function readIgnoreFile(directory: string, fileName: string): Promise<string | null> {
  try {
    const file = await insideDirectory(directory, 'fail', (held) =>
      readWholeFile(held, fileName, fileName, IGNORE_FILE_BYTES_MAX),
    );
    return file === null ? null : (decodeText(file.bytes)?.text ?? null);
  } catch (error) {
    if (error instanceof ToolFailure || errnoOf(error) !== null) return null;
    throw error;
  }
}
