import { statSync } from 'node:fs';
import { dirname, parse } from 'node:path';
import { homeDirectory, homeOnRecord } from '../home-directory.js';
import { orNull } from '../or-null.js';
import { componentsBelow } from './components.js';

/**
 * Why a directory holds far more than one project, to continue after "which is"; null if it does not. Such a directory is
 * worked in only if the user named it: a program that is started by another one often finds itself in `/` or at home.
 * `real` is its real path.
 */
export function tooWide(
  real: string,
  environment: { readonly [name: string]: string | undefined } = process.env,
): string | null {
  if (parse(real).root === real) return 'the root of the file system';
  const homes = [homeDirectory(environment), homeOnRecord()].filter((home) => home !== null);
  if (homes.some((home) => isSame(real, home)) || HOMES.test(real)) return 'a home directory';
  if (homes.some((home) => isBelow(home, real))) return 'a directory that holds home directories';
  if (isOfSystem(real)) return 'a directory of the system';
  if (isOneOf(real, ['/tmp', '/var/tmp', '/dev/shm', '/private/tmp', environment['TMPDIR'] || '/tmp']))
    return 'a directory for temporary files';
  return isDrive(real) ? 'a drive' : null;
}

/** Whether a directory is the system's, and no user's: its root, and what belongs to the machine. `real` is its real path. */
export const isOfSystem = (real: string): boolean =>
  parse(real).root === real || isOneOf(real, SYSTEM) || TREES.some((tree) => isBelow(real, tree));

/** Those of other users as well. */
const HOMES = /^(?:\/(?:home|Users)\/[^/]+|\/root|\/var\/root|[A-Z]:\\Users\\[^\\]+)$/i;

/** They hold what belongs together with nothing but the system. What lies in them may be a project: /usr/src/app, /var/www/x. */
const SYSTEM = [
  ...['/home', '/media', '/mnt', '/nix', '/nix/store', '/opt', '/run', '/snap', '/srv', '/usr', '/var'],
  ...['/usr/local', '/usr/src', '/usr/local/src', '/usr/share', '/usr/local/share', '/usr/local/etc'],
  ...[
    '/var/cache',
    '/var/lib',
    '/var/lib/docker',
    '/var/log',
    '/var/mail',
    '/var/opt',
    '/var/spool',
    '/var/www',
  ],
  ...['/Applications', '/Library', '/Network', '/Users', '/Volumes', '/cores', '/private', '/private/var'],
  ...[
    '/opt/homebrew',
    '/usr/local/Homebrew',
    'C:\\Program Files',
    'C:\\Program Files (x86)',
    'C:\\ProgramData',
  ],
  'C:\\Users',
];

/** Nothing in them is a project. */
const TREES = [
  ...['/bin', '/boot', '/dev', '/etc', '/lib', '/lib32', '/lib64', '/libx32', '/proc', '/sbin', '/sys'],
  ...['/usr/bin', '/usr/sbin', '/usr/lib', '/usr/lib32', '/usr/lib64', '/usr/libexec', '/usr/include'],
  ...['/usr/local/bin', '/usr/local/sbin', '/usr/local/lib', '/System', '/private/etc', 'C:\\Windows'],
];

const isOneOf = (real: string, paths: readonly string[]): boolean => paths.some((path) => isSame(real, path));

/** By what they are, not by how they are spelled: letter case, symbolic links and bind mounts lead to the same place. */
function isSame(one: string, other: string): boolean {
  if (one === other) return true;
  const [first, second] = [identityOf(one), identityOf(other)];
  return first !== null && first === second;
}

const identityOf = (path: string): string | null =>
  orNull(() => {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  });

/** At or below it, in whatever way the way up is spelled. /dev/shm is for temporary files, and is judged as such. */
function isBelow(path: string, directory: string): boolean {
  if (componentsBelow('/dev/shm', path) !== null) return false;
  const wanted = identityOf(directory);
  for (let at = path; wanted !== null; at = dirname(at)) {
    if (identityOf(at) === wanted) return true;
    if (at === dirname(at)) break;
  }
  return false;
}

const DRIVES = /^\/(?:mnt\/[^/]+|Volumes\/[^/]+|(?:run\/)?media\/[^/]+(?:\/[^/]+)?)$/i;

/** A disk that is mounted where disks are. A project mounted into a container lies elsewhere. */
const isDrive = (real: string): boolean =>
  DRIVES.test(real) && (orNull(() => statSync(real).dev !== statSync(dirname(real)).dev) ?? false);
