import { statSync } from 'node:fs';
import { fileNotFound, readFailure, shownPath } from '@countersign/host';
import { ToolFailure } from '@countersign/protocol';

/** Throws a failure as data if no directory is at this real path. */
export async function assertDirectory(
  path: string,
  workspace: string,
  suggest: 'near' | 'anywhere',
): Promise<void> {
  const shown = shownPath(workspace, path);
  const stats = statOf(path, shown);
  if (stats === undefined) throw await fileNotFound(path, workspace, suggest);
  if (!stats.isDirectory()) throw new ToolFailure({ code: 'target_is_not_directory', path: shown });
}

function statOf(path: string, shown: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw readFailure(error, shown);
  }
}
