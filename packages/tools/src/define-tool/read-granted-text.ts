import { type RunContext } from '@countersign/engine';
import { fileNotFound, readFileAt, resolvePath, shownPath } from '@countersign/host';
import { ToolFailure } from '@countersign/protocol';
import { decodedText } from './decoded-text.js';
import { isGranted } from './granted-path.js';

const TEXT_BYTES_MAX = 20_000_000; // as read_file: larger files are data or logs, and decoding blocks all other calls

/** The whole text of a file, which must be one that the plan named: nothing else was granted. */
export async function readGrantedText(
  given: string,
  { plan, workspace }: Pick<RunContext, 'plan' | 'workspace'>,
): Promise<string> {
  const path = await resolvePath(workspace, given);
  const shown = shownPath(workspace, path);
  if (!isGranted(plan, path, 'fs.read', 'fs.write')) {
    const message = `${shown} is not among the files that this call was planned to touch.`;
    throw new ToolFailure({ code: 'execution_failed', message });
  }
  const file = await readFileAt(path, shown, TEXT_BYTES_MAX);
  if (file === null) throw await fileNotFound(path, workspace, 'near');
  return decodedText(file.bytes, shown).text;
}
