import { realpath, stat } from 'node:fs/promises';
import { Refusal } from '../problems.js';

/** The real path of a directory in which something may be done from here. Throws a `Refusal`. */
export async function servedWorkspace(given: string | undefined, served: readonly string[]): Promise<string> {
  const workspace = given ?? served[0] ?? '';
  const refused = new Refusal({ code: 'workspace_not_served', workspace, served });
  // Before anything is looked up: what does not lie there is not even to be known to exist.
  if (!workspace.startsWith('/') || workspace.includes('\0')) throw refused;
  const real = await realpath(workspace).catch(() => null);
  if (real === null || !isServed(real, served)) throw refused;
  if (!(await stat(real)).isDirectory()) throw refused;
  return real;
}

export const isServed = (workspace: string, served: readonly string[]): boolean =>
  served.some((root) => workspace === root || workspace.startsWith(root === '/' ? '/' : `${root}/`));
