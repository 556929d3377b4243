import type { Dirent } from 'node:fs';
import { opendir, readlink } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { type HeldDirectory, specialKindOf } from '@countersign/host';

export type Entry = { readonly name: string } & (
  | { readonly type: 'directory' | 'file' }
  | { readonly type: 'symlink'; readonly target: string }
  | { readonly type: 'special'; readonly what: string }
);

export type Entries = {
  readonly entries: readonly Entry[];
  readonly hidden: number;
  /** false if there were more names than a listing looks at. */
  readonly complete: boolean;
};

export type IsHidden = (name: string, type: 'directory' | 'other') => boolean;

const WORK_MS_MAX = 20; // matching many patterns may not block other calls
export const ENTRIES_READ_MAX = 20_000; // sorting needs them all in memory

export async function readEntries(
  directory: HeldDirectory,
  isHidden: IsHidden,
  signal: AbortSignal,
): Promise<Entries> {
  const entries: Entry[] = [];
  let looked = 0;
  let breathedAt = performance.now();
  for await (const found of await opendir(directory.at('.'))) {
    signal.throwIfAborted();
    if (looked === ENTRIES_READ_MAX) return { entries, hidden: looked - entries.length, complete: false };
    looked += 1;
    if (performance.now() - breathedAt > WORK_MS_MAX) {
      await setImmediate();
      breathedAt = performance.now();
    }
    if (isHidden(found.name, found.isDirectory() ? 'directory' : 'other')) continue;
    entries.push(await entryOf(found, directory));
  }
  return { entries, hidden: looked - entries.length, complete: true };
}

async function entryOf(found: Dirent, directory: HeldDirectory): Promise<Entry> {
  const { name } = found;
  if (found.isDirectory()) return { name, type: 'directory' };
  if (found.isFile()) return { name, type: 'file' };
  if (found.isSymbolicLink()) return { name, type: 'symlink', target: await targetOf(directory.at(name)) };
  return { name, type: 'special', what: specialKindOf(found) };
}

async function targetOf(path: string): Promise<string> {
  try {
    return await readlink(path);
  } catch {
    return '?'; // removed or replaced while we were listing
  }
}
