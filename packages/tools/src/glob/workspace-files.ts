import { errnoOf } from '@countersign/host';
import { ToolFailure } from '@countersign/protocol';
import { GIT_IGNORE, ignoreFileNames } from '../ignore/filtering-options.js';
import { TreeFilter } from '../ignore/tree-filter.js';
import { confinedRipgrep } from '../ripgrep/confined-ripgrep.js';
import { leftToFilter } from '../ripgrep/left-to-filter.js';
import { listFiles } from './list-files.js';

export type WorkspaceFiles = {
  /** By their paths from the workspace. */
  readonly files: readonly string[];
  /** False if there are more, or some could not be looked at. */
  readonly complete: boolean;
};

/**
 * The files of a workspace that a person may mean, in no particular order: what
 * ignore files name is omitted, and no symlink is followed. As many as were
 * found before the signal, and at most `filesMax`.
 */
export async function workspaceFiles(
  workspace: string,
  filesMax: number,
  signal: AbortSignal,
): Promise<WorkspaceFiles> {
  const ripgrep = await confinedRipgrep(workspace);
  const names = ignoreFileNames();
  const fileNames = ripgrep === null ? names : leftToFilter(workspace, workspace, names);
  const enough = new AbortController();
  const files: string[] = [];
  try {
    const unreadable = await listFiles({
      ripgrep,
      path: workspace,
      filterRoot: workspace,
      filter: new TreeFilter(workspace, workspace, fileNames),
      respectsGitIgnore: names.includes(GIT_IGNORE),
      depthMax: Number.POSITIVE_INFINITY,
      signal: AbortSignal.any([signal, enough.signal]),
      found: (file) => {
        if (files.length < filesMax) files.push(file);
        else enough.abort();
      },
    });
    return { files, complete: unreadable.length === 0 && !enough.signal.aborted };
  } catch (thrown) {
    const isCutShort = signal.aborted || enough.signal.aborted;
    if (isCutShort || thrown instanceof ToolFailure || errnoOf(thrown) !== null)
      return { files, complete: false };
    throw thrown;
  }
}
