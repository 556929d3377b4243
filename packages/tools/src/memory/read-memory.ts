import { componentsBelow, decodeText, readFileAt, resolvePath } from '@countersign/host';
import { readProblem } from '../define-tool/read-problem.js';

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
    const file = await readFileAt(path, path, FILE_BYTES_MAX);
    if (file === null) return { ok: false, why: 'There is no such file.' };
    const decoded = decodeText(file.bytes);
    return decoded ? { ok: true, path, text: decoded.text } : { ok: false, why: 'It is not text.' };
  } catch (error) {
    return { ok: false, why: readProblem(error, given) };
  }
}
