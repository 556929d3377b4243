import { isAtOrBelow } from './paths.js';

/** What one place is to a confined command. What lies below it is the same, unless it has a mount of its own. */
export type Mount =
  | { readonly access: 'writable' | 'read-only'; readonly path: string }
  /** Shows as empty and cannot be changed. */
  | { readonly access: 'hidden'; readonly path: string; readonly kind: 'directory' | 'file' }
  /** Writable, and seen by nobody else. It lasts in `keptIn`; without that it ends with the command. */
  | { readonly access: 'private'; readonly path: string; readonly keptIn: string | null };

/** While a profile is made: one mount for each path, the last that was put there. */
export type MountTable = ReadonlyMap<string, Mount>;

/** What `path` is to a command under this profile. */
export const accessTo = ({ mounts }: { readonly mounts: readonly Mount[] }, path: string): Mount['access'] =>
  mounts.findLast((mount) => isAtOrBelow(path, mount.path))?.access ?? 'read-only';

/** Text order puts a directory before all that lies in it. */
export const parentsFirst = (mounts: readonly Mount[]): Mount[] =>
  mounts.toSorted((one, other) => (one.path < other.path ? -1 : 1));

export const accessAmong = (mounts: MountTable, path: string): Mount['access'] =>
  accessTo({ mounts: parentsFirst([...mounts.values()]) }, path);

export const isVisible = (mounts: MountTable, path: string): boolean =>
  ['writable', 'read-only'].includes(accessAmong(mounts, path));
