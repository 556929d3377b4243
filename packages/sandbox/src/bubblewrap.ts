import type { OwnFiles } from './own-files.js';
import type { Mount } from './profile/mounts.js';
import type { Profile } from './profile/profile.js';
import type { Sandbox } from './sandbox.js';

export type Command = {
  readonly argv: readonly string[];
  /** Where it works; a real path that the profile shows. */
  readonly directory: string;
  /** What stands for hidden files and, for root, for the machine's devices; see `ownFilesIn`. */
  readonly own: OwnFiles;
};

/**
 * The command line that runs a command under a profile. The caller gives
 * it a clean environment: bubblewrap's own can be read inside, at
 * /proc/1/environ, and so can its arguments.
 *
 * It outlives its parent (no `--die-with-parent`): a command may be adopted.
 * Its processes are bubblewrap itself, whose exit code is that of the command;
 * its child, the reaper, which is the first process of the namespace and leads
 * a session of its own; and the command in the reaper's process group. TERM to
 * that group reaches the command; KILL to the reaper ends all that runs inside,
 * whatever session it went to. To end bubblewrap alone ends neither.
 */
export const confine = (sandbox: Sandbox, profile: Profile, command: Command): readonly string[] =>
  commandLine(sandbox.program, profile, command);

/** The same for a bubblewrap that has not been tried yet. */
export function commandLine(
  program: string,
  profile: Profile,
  { argv, directory, own }: Command,
): readonly string[] {
  const [root, ...mounts] = profile.mounts.map((mount) => mountArgs(mount, own));
  return [
    program,
    '--unshare-all',
    ...(profile.network === 'open' ? ['--share-net'] : []),
    // With its capabilities root could mount the system again, writable.
    ...['--cap-drop', 'ALL'],
    // Without it a command could type into the terminal from which we were started.
    '--new-session',
    ...(root ?? []),
    ...['--dev', '/dev', '--proc', '/proc'],
    ...own.devices.flatMap(({ name, path }) => ['--dev-bind', path, `/dev/${name}`]),
    ...mounts.flat(),
    // Last, since mounts below them need a place to be made in.
    ...profile.mounts.filter(isHiddenDirectory).flatMap(({ path }) => ['--remount-ro', path]),
    // Settings of the kernel belong to root whatever its capabilities: core_pattern names a program to run.
    ...['--remount-ro', '/proc'],
    ...['--chdir', directory],
    '--',
    ...argv,
  ];
}

const isHiddenDirectory = (mount: Mount) => mount.access === 'hidden' && mount.kind === 'directory';

function mountArgs(mount: Mount, own: OwnFiles): string[] {
  const { path } = mount;
  switch (mount.access) {
    case 'writable':
      return ['--bind', path, path];
    case 'read-only':
      return ['--ro-bind', path, path];
    case 'private':
      return mount.keptIn === null ? ['--tmpfs', path] : ['--bind', mount.keptIn, path];
    case 'hidden':
      // Programs put up with an empty .npmrc, not with a forbidden one.
      return mount.kind === 'directory' ? ['--tmpfs', path] : ['--ro-bind', own.empty, path];
  }
}
