import { type Dirent, readdirSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { errnoOf, insideDirectory } from '@countersign/host';
import { ToolFailure } from '@countersign/protocol';
import type { TreeFilter } from './tree-filter.js';

export type Walk = {
  /** The real path of the tree. */
  readonly path: string;
  /** Whether to go into, or hand out, what lies at this path from there. */
  readonly hides: TreeFilter['hides'];
  readonly depthMax: number;
  readonly signal: AbortSignal;
  /** Called with each directory that cannot be read. */
  readonly unreadable: (directory: string) => void;
};

const WORK_MS_MAX = 20; // a walk may not block other calls

/** The regular files of a tree, by their paths from its top, in order of name. No symlink is followed. */
export async function* walkFiles({
  path,
  hides,
  depthMax,
  signal,
  unreadable,
}: Walk): AsyncGenerator<string> {
  const pending = [''];
  let breathedAt = performance.now();
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    signal.throwIfAborted();
    if (performance.now() - breathedAt > WORK_MS_MAX) {
      await setImmediate();
      breathedAt = performance.now();
    }
    const entries = await entriesOf(directory === '' ? path : `${path}/${directory}`);
    if (entries === null) {
      unreadable(directory);
      continue;
    }
    const within = (name: string) => (directory === '' ? name : `${directory}/${name}`);
    for (const entry of entries) {
      const found = within(entry.name);
      if (entry.isFile() && !hides(found, 'other')) yield found;
    }
    const depth = directory === '' ? 0 : directory.split('/').length;
    if (depth + 2 > depthMax) continue; // a file in a directory here would be that deep
    for (const entry of entries.toReversed()) {
      const found = within(entry.name);
      if (entry.isDirectory() && !hides(found, 'directory')) pending.push(found);
    }
  }
}

/** null if it cannot be read, or is not the directory it was. */
async function entriesOf(directory: string): Promise<Dirent[] | null> {
  try {
    const entries = await insideDirectory(directory, 'fail', async (held) =>
      readdirSync(held.at('.'), { withFileTypes: true }),
    );
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (error instanceof ToolFailure || errnoOf(error) !== null) return null;
    throw error;
  }
}
