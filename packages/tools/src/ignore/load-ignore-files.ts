import { ToolFailure } from '@countersign/engine';
import { errnoOf } from '../file-failure.js';
import { componentsBelow } from '../paths/components.js';
import { readWholeFile } from '../paths/open-file.js';
import { insideDirectory } from '../paths/open-inside.js';
import { decodeText } from '../text/decode-text.js';
import { type IgnoreFile, parseIgnoreFile } from './ignore-rules.js';

const IGNORE_FILE_BYTES_MAX = 200_000; // hand-written files are a hundredth of that

/**
 * The ignore files that speak about a directory: those from the workspace's
 * down to its own. One list per file name, the outermost first.
 */
export async function loadIgnoreFiles(
  workspace: string,
  directory: string,
  fileNames: readonly string[],
): Promise<IgnoreFile[][]> {
  const names = componentsBelow(workspace, directory) ?? [];
  const top = names.length === 0 ? directory : workspace;
  const byName: IgnoreFile[][] = fileNames.map(() => []);
  for (let depth = 0; fileNames.length > 0 && depth <= names.length; depth += 1) {
    const texts = await readIgnoreFiles([top, ...names.slice(0, depth)].join('/'), fileNames);
    for (const [index, text] of texts.entries())
      if (text !== null) byName[index]?.push({ rules: parseIgnoreFile(text), below: names.slice(depth) });
  }
  return byName;
}

/** null for each that can not be used: a listing does not fail because of what only tidies it. */
async function readIgnoreFiles(directory: string, fileNames: readonly string[]): Promise<(string | null)[]> {
  const read = await unlessUnusable(() =>
    insideDirectory(directory, 'fail', (held) =>
      Promise.all(
        fileNames.map((fileName) =>
          unlessUnusable(() => readWholeFile(held, fileName, fileName, IGNORE_FILE_BYTES_MAX)),
        ),
      ),
    ),
  );
  return (read ?? []).map((file) => (file === null ? null : (decodeText(file.bytes)?.text ?? null)));
}

async function unlessUnusable<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ToolFailure || errnoOf(error) !== null) return null;
    throw error;
  }
}
