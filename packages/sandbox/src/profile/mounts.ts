import { isAtOrBelow } from './paths.js';

/** What one place is to a confined command. What lies below it is the same, unless it has a mount of its own. */
export type Mount =
  | { readonly access: 'writable' | 'read-only'; readonly path: string }
  /** Shows as empty and cannot be changed. */
  | { readonly access: 'hidden'; readonly path: string; readonly kind: 'directory' | 'file' }
  /** Writable, and invisible to other processes. It lasts in `keptIn`; without that it ends with the command. */
  | { readonly access: 'private'; readonly path: string; readonly keptIn: string | null };

/** While a profile is made: one mount for each path, the last that was put there. */
export type MountTable = ReadonlyMap<string, Mount>;

type Mounted = { readonly mounts: readonly Mount[] };

/** The mount that decides what `path` is to a command under this profile. */
export const mountAt = ({ mounts }: Mounted, path: string): Mount | undefined =>
  mounts.findLast((mount) => isAtOrBelow(path, mount.path));

/** What `path` is to a command under this profile. */
export const accessTo = (profile: Mounted, path: string): Mount['access'] =>
  mountAt(profile, path)?.access ?? 'read-only';

/** Those of these paths that exist for a confined command with other content than outside the sandbox. */
export const shownOtherwise = (paths: readonly string[], profile: Mounted): string[] =>
  paths.filter((path) => {
    const mount = mountAt(profile, path);
    return mount?.access === 'hidden' || (mount?.access === 'private' && mount.path === path);
  });

/** Text order puts a directory before all that lies in it. */
export const parentsFirst = (mounts: readonly Mount[]): Mount[] =>
  mounts.toSorted((one, other) => (one.path < other.path ? -1 : 1));

export const accessAmong = (mounts: MountTable, path: string): Mount['access'] =>
  accessTo({ mounts: parentsFirst([...mounts.values()]) }, path);

export const isVisible = (mounts: MountTable, path: string): boolean =>
  ['writable', 'read-only'].includes(accessAmong(mounts, path));
