import { componentsBelow } from './components.js';

/** What is ours in a directory that the workspace lies in as well, as with `--store .`: the rest is not ours. */
const OWN_NAMES = /^(?:countersign\.db.*|server-tokens\.json.*|server-browsers|trusted-folders|serving)$/i;

/** What lies in a directory of ours for agents to read: memory, directly in it, and skills. */
const FOR_AGENTS = /^skills$|\.md$/i;

/** Whether a path is one of our own files, for tools that find files below a directory: no plan names those. */
export const isAmongOurs = (path: string, ours: readonly string[], workspace: string): boolean =>
  ours.some((directory) => isOurs(path, directory, workspace));

/** Whether a path is one of our own files, given a directory of ours. Both are real paths. */
export function isOurs(path: string, directory: string, workspace: string): boolean {
  const below = componentsBelow(directory, path);
  if (below === null) return false;
  const [first] = below;
  if (componentsBelow(directory, workspace) !== null) return first !== undefined && OWN_NAMES.test(first);
  return first === undefined || !FOR_AGENTS.test(first);
}
