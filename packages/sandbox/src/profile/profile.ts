import type { Need } from '@countersign/protocol';
import { covers, type Granted, guardedWrites } from './granted.js';
import { anchors, mountOf } from './guard-mounts.js';
import { type Guard, guardsIn } from './guards.js';
import { listeningSockets } from './listening-sockets.js';
import { accessAmong, isVisible, type Mount, type MountTable, parentsFirst } from './mounts.js';
import { isAtOrBelow, kindOf, realPath } from './paths.js';
import { secretsIn, systemSecrets } from './secrets.js';

/** What a confined command can reach. Plain data: it can be kept, and looked at again after a crash. */
export type Profile = {
  readonly workspace: string;
  readonly network: 'blocked' | 'open';
  /** Parents before what lies in them. */
  readonly mounts: readonly Mount[];
  /** The protected names of the workspace that were there at the start; see `plantedIn`. */
  readonly guards: readonly Guard[];
  /** Protected paths that may still be written. */
  readonly granted: readonly Granted[];
};

/** Paths are real ones, with every symlink resolved, unless stated otherwise. */
export type ProfileOptions = {
  readonly workspace: string;
  readonly home: string;
  /** Our own directories (store, policies), of which a command sees nothing. */
  readonly ours: readonly string[];
  /**
   * What the user approved. A need for the network is one for any host: bubblewrap cannot distinguish them. It
   * opens abstract sockets, too.
   */
  readonly needs: readonly Need[];
  /** What the command names outside the workspace: visible in /tmp and /run, too. What is hidden stays so. */
  readonly named: readonly string[];
  /** Configured by the person; symlinks are followed, what is missing is omitted. */
  readonly extraWritable: readonly string[];
  /** The same for reading, where it would be hidden: the script of a long command, outputs kept for the model. */
  readonly extraReadable: readonly string[];
  /** A directory that serves as /tmp, so that commands find what earlier ones left; null for a new one each time. */
  readonly scratch: string | null;
  /** Whether a silent write there would be dangerous, as policy judges it. */
  readonly isGuarded: (path: string) => boolean;
};

/**
 * The workspace can be written, the rest of the system only read; secrets and
 * sockets are out of sight, and temporary files are the command's own.
 */
export function profileFor(options: ProfileOptions): Profile {
  const { workspace, needs } = options;
  const network = needs.some((need) => need.needs === 'network') ? 'open' : 'blocked';
  const guards = guardsIn(workspace, options.isGuarded);
  const granted = guardedWrites(needs, workspace);
  const mounts = new Map<string, Mount>();
  const put = (...list: readonly Mount[]) => list.forEach((mount) => mounts.set(mount.path, mount));
  const isGranted = ({ path }: Guard) => granted.some((grant) => covers(grant, path));
  const guardMount = (guard: Guard) => mountOf(guard, mounts, workspace);

  put({ access: 'read-only', path: '/' }, ...privatePlaces(), ...keptOfRun(network));
  put(...existing([options.home]).flatMap((home) => seenThrough(mounts, home)));
  const secret = hiddenPlaces(options);
  const isSecret = (path: string) => secret.some((place) => isAtOrBelow(path, place));
  for (const path of options.named)
    if (!isAtOrBelow(path, workspace) && !mounts.has(path) && !isSecret(path))
      put(...asShown(path, mounts, 'read'));
  put({ access: 'writable', path: workspace });
  put(...chosenPlaces(options).map((path): Mount => ({ access: 'writable', path })));
  for (const path of secret) if (isVisible(mounts, path)) put(hidden(path));
  // Each step may only take away from what the one before it left.
  for (const hold of ['open', 'fixed', 'made'] as const)
    put(...guards.filter((guard) => guard.hold === hold && !isGranted(guard)).flatMap(guardMount));
  put(...anchors(mounts, workspace));
  put(...existing(options.extraReadable).flatMap((path) => seenThrough(mounts, path)));
  for (const need of needs) if ('path' in need) put(...asShown(need.path, mounts, need.needs));
  put(...lasting(mounts, options.scratch));

  return { workspace, network, mounts: parentsFirst([...mounts.values()]), guards, granted };
}

const existing = (paths: readonly string[]): string[] =>
  paths.map(realPath).filter((path): path is string => path !== null);

/** /run and /tmp hold the sockets of whatever serves this person: Docker, agents for keys, the desktop. */
const privatePlaces = (): Mount[] =>
  existing(['/tmp', '/var/tmp', '/run', '/var/run']).map((path) => ({
    access: 'private',
    path,
    keptIn: null,
  }));

/**
 * Makes /tmp last, unless something is mounted in it. A command could leave a
 * symlink on the way there, and bubblewrap, which makes what is missing on that
 * way for the next one, would follow it out of the sandbox.
 */
function lasting(mounts: MountTable, keptIn: string | null): Mount[] {
  const path = realPath('/tmp') ?? '/tmp';
  const isEmpty = ![...mounts.keys()].some((other) => other !== path && isAtOrBelow(other, path));
  return isEmpty && mounts.get(path)?.access === 'private' ? [{ access: 'private', path, keptIn }] : [];
}

/** What programs need of /run: NixOS keeps its programs there, and systemd the addresses of name servers. */
function keptOfRun(network: Profile['network']): Mount[] {
  const needed = existing(network === 'open' ? ['/etc/resolv.conf'] : []).filter((path) =>
    isAtOrBelow(path, '/run'),
  );
  if (kindOf('/run/current-system') === 'directory') needed.push('/run/current-system');
  return needed.map((path) => ({ access: 'read-only', path }));
}

/** Makes visible again what lies in a private or hidden place. */
const seenThrough = (mounts: MountTable, path: string): Mount[] =>
  isVisible(mounts, path) ? [] : [{ access: 'read-only', path }];

/** In the workspace everything can be written: there a symlink may lead anywhere by now. */
const chosenPlaces = ({ workspace, extraWritable }: ProfileOptions): string[] =>
  existing(extraWritable.filter((path) => !isAtOrBelow(path, workspace)));

/** Shallow ones first: what lies in a hidden directory needs no hiding. Sockets in the workspace are its own. */
function hiddenPlaces(options: ProfileOptions): string[] {
  const { home, ours, workspace } = options;
  const sockets = listeningSockets().filter((path) => !isAtOrBelow(path, workspace));
  const chosen = [workspace, ...chosenPlaces(options)];
  const places = existing([...ours, ...secretsIn(home), ...systemSecrets(), ...sockets]);
  return places.filter((path) => !chosen.includes(path)).sort();
}

const hidden = (path: string): Mount => ({
  access: 'hidden',
  path,
  kind: kindOf(path) === 'directory' ? 'directory' : 'file',
});

/** What leads elsewhere by now is not what was shown. */
function asShown(path: string, mounts: MountTable, wanted: 'read' | 'write'): Mount[] {
  if (realPath(path) !== path) return [];
  if (wanted === 'read') return seenThrough(mounts, path);
  return accessAmong(mounts, path) === 'writable' ? [] : [{ access: 'writable', path }];
}
