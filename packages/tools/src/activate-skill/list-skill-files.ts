import { opendir } from 'node:fs/promises';
import { insideDirectory } from '@countersign/host';

const FILES_MAX = 200; // what is more is found with list_directory
const DEPTH_MAX = 5;
const NEVER_LISTED = ['.git', 'node_modules'];

/** The files of a skill besides its instructions, by their paths in its directory. Symbolic links are not followed. */
export async function listSkillFiles(
  directory: string,
): Promise<{ readonly files: readonly string[]; readonly complete: boolean }> {
  const files: string[] = [];
  const pending = [{ path: '', depth: 0 }];
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    const { path, depth } = next;
    for (const entry of await entriesOf(`${directory}${path === '' ? '' : `/${path}`}`)) {
      const at = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isFile()) files.push(at);
      else if (entry.isDirectory() && depth < DEPTH_MAX && !NEVER_LISTED.includes(entry.name))
        pending.push({ path: at, depth: depth + 1 });
      if (files.length > FILES_MAX) return { files: files.slice(0, FILES_MAX), complete: false };
    }
  }
  return { files, complete: true };
}

/** Sorted, so that the list is the same each time. */
const entriesOf = (directory: string) =>
  insideDirectory(directory, 'fail', async (held) => {
    const entries = [];
    for await (const entry of await opendir(held.at('.'))) {
      entries.push(entry);
      if (entries.length > FILES_MAX) break;
    }
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  });
