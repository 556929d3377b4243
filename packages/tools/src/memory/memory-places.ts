import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { orNull, splitPath } from '@countersign/host';

/** Where memory files may lie. */
export type MemoryPlaces = {
  /** With every symlink resolved. */
  readonly workspace: string;
  /** Absolute, most general first: the directory of the user's own settings, and of other programs' that are read too. */
  readonly userDirectories: readonly string[];
  readonly names?: readonly string[];
};

/** Both are read: projects that work with several agents have either. */
export const MEMORY_NAMES: readonly string[] = ['GEMINI.md', 'AGENTS.md'];

const DIRECTORIES_MAX = 64; // no project is deeper

/** From the top of the repository, if the workspace is part of one, down to the workspace. */
export function projectDirectories(workspace: string): readonly string[] {
  const directories: string[] = [];
  for (
    let directory = workspace;
    directories.length < DIRECTORIES_MAX;
    directory = splitPath(directory).parent
  ) {
    directories.unshift(directory);
    if (isOwnRepository(directory, workspace)) return directories;
    if (directory === '/') break;
  }
  return [workspace];
}

/** In a directory that others may write to, such as /tmp, any user can make a repository of what lies beneath it. */
function isOwnRepository(directory: string, workspace: string): boolean {
  const repository = lookAt(`${directory}/.git`);
  if (repository === null) return false;
  return repository.uid === lookAt(workspace)?.uid || repository.uid === process.geteuid?.();
}

/** Those of the user's directories that are there, by their real paths. */
export const userDirectoriesOf = ({ userDirectories }: MemoryPlaces): readonly string[] =>
  userDirectories.flatMap((directory) => orNull(() => realpathSync(directory)) ?? []);

/** null for what is not there, or may not be looked at. */
export const lookAt = (path: string): Stats | null => orNull(() => lstatSync(path));
