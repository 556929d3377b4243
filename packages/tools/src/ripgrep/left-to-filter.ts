import { componentsBelow } from '@countersign/host';
import { GIT_IGNORE } from '../ignore/filtering-options.js';

/**
 * The ignore files that are still to be respected for what ripgrep lists without globs: where no directory above has
 * ignore files, it has already done what `.gitignore` wants, and quicker.
 */
export function leftToFilter(
  path: string,
  workspace: string,
  fileNames: readonly string[],
): readonly string[] {
  const hasNoneAbove = path === workspace || componentsBelow(workspace, path) === null;
  return hasNoneAbove ? fileNames.filter((name) => name !== GIT_IGNORE) : fileNames;
}
