import {
  componentsBelow,
  decodeText,
  errnoOf,
  insideDirectory,
  readFailure,
  readWholeFile,
  resolvePath,
  splitPath,
} from '@countersign/host';
import { explain, ToolFailure } from '@countersign/protocol';

const FILE_BYTES_MAX = 1_000_000; // what is larger was not written to be remembered

/** A text with the real path it was found at, or a sentence that says why there is none. */
export type Found =
  | { readonly ok: true; readonly path: string; readonly text: string }
  | { readonly ok: false; readonly why: string };

/** Reads what a path leads to, through symlinks too, if that lies in one of `roots`. */
export async function readMemory(directory: string, given: string, roots: readonly string[]): Promise<Found> {
  try {
    const path = await resolvePath(directory, given);
    if (!roots.some((root) => componentsBelow(root, path) !== null))
      return { ok: false, why: `${path} is outside the workspace.` };
    const { parent, name } = splitPath(path);
    const file = await insideDirectory(parent, 'fail', (held) =>
      readWholeFile(held, name, path, FILE_BYTES_MAX),
    );
    if (file === null) return { ok: false, why: MISSING };
    const decoded = decodeText(file.bytes);
    return decoded ? { ok: true, path, text: decoded.text } : { ok: false, why: 'It is not text.' };
  } catch (error) {
    return { ok: false, why: errnoOf(error) === 'ENOENT' ? MISSING : reasonOf(error, given) };
  }
}

const MISSING = 'There is no such file.';

function reasonOf(error: unknown, given: string): string {
  const failure = readFailure(error, given);
  if (failure instanceof ToolFailure) return explain(failure.failure).message;
  throw failure;
}
