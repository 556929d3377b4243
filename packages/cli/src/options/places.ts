import { realpathSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { errnoOf, homeDirectory, isOfSystem, tooWide } from '@countersign/host';
import { usage } from '../io/failure-text.js';
import type { Io } from '../io/io.js';

/** The directory of the journal, by the XDG conventions; `COUNTERSIGN_HOME` replaces it. */
export const storeDirectory = (env: NodeJS.ProcessEnv): string =>
  ownDirectory(env) ?? xdg(env, 'XDG_STATE_HOME', '.local/state');

/** Configuration of the user: settings, policies, and trusted folders. */
export const configDirectory = (env: NodeJS.ProcessEnv): string =>
  ownDirectory(env) ?? xdg(env, 'XDG_CONFIG_HOME', '.config');

/** The user's home directory, which a `~` stands for. */
export function homeOf(env: NodeJS.ProcessEnv): string {
  const home = homeDirectory(env);
  if (home === null)
    throw usage(
      'There is no home directory: HOME is not set, and the system has none on record for this user',
      'HOME=DIR or COUNTERSIGN_HOME=DIR, with an absolute path',
    );
  return home;
}

/** Configuration by the administrator, for all users of the machine. */
export const ADMIN_DIRECTORY = '/etc/countersign';

/** Configuration in a workspace, relative to its root. */
export const PROJECT_DIRECTORY = '.countersign';

export const SETTINGS_FILE = 'settings.json';
export const POLICIES = 'policies';

/** Policy files of a directory in a fixed order; none if there is no such directory. */
export async function policyFilesIn(directory: string): Promise<readonly string[]> {
  const names = await readdir(directory).catch((thrown: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(thrown) ?? '')) return [];
    throw thrown;
  });
  return names
    .filter((name) => name.endsWith('.toml'))
    .sort()
    .map((name) => join(directory, name));
}

/** A workspace given by name, or else the current directory. */
export type WorkspaceRequest = {
  readonly path: string;
  readonly by: 'name' | 'place';
  readonly env: NodeJS.ProcessEnv;
};

export function workspaceRequest(
  named: string | undefined,
  { cwd, env }: Pick<Io, 'cwd' | 'env'>,
): WorkspaceRequest {
  // Nearly always an unset variable.
  if (named === '')
    throw usage('--workspace is empty', '--workspace DIR, or omit it to work in the current directory');
  return named === undefined ? { path: cwd, by: 'place', env } : { path: named, by: 'name', env };
}

/** The workspace of a session: a default must not be a root, home or system directory. */
export async function chosenWorkspace(request: WorkspaceRequest): Promise<string> {
  const real = await realWorkspace(request.path);
  if (request.by === 'place')
    expectProject(real, request.env, `cd into a project, or --workspace ${real} to allow this directory`);
  return real;
}

export function expectProject(real: string, env: NodeJS.ProcessEnv, instead: string): void {
  const what = tooWide(real, env);
  if (what !== null) throw usage(`${real} is ${what}, and was not given as --workspace`, instead);
}

/** The real path of the workspace, which every later check compares with. */
export async function realWorkspace(given: string): Promise<string> {
  const path = resolve(given);
  const real = await realpath(path).catch(() => null);
  if (!real || !(await stat(real)).isDirectory()) {
    throw usage(`The workspace ${path} is not a directory`, '--workspace DIR, with a directory that exists');
  }
  return real;
}

/** A relative path would be resolved in the workspace, which could then provide settings. */
function ownDirectory(env: NodeJS.ProcessEnv): string | null {
  const given = env['COUNTERSIGN_HOME'];
  if (given === undefined || given === '') return null;
  if (!isAbsolute(given))
    throw usage(
      `COUNTERSIGN_HOME is "${given}", a relative path`,
      'COUNTERSIGN_HOME=DIR, with an absolute path',
    );
  // Every file there would count as ours, and ours would be readable like them.
  if (isOfSystem(realPlace(resolve(given))))
    throw usage(
      `COUNTERSIGN_HOME is "${given}", a directory of the system`,
      'COUNTERSIGN_HOME=DIR, with a separate directory',
    );
  return given;
}

/** Null if there is no such file. */
export function realPathOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

/** Where it would be created, if it does not exist yet. */
export function realPlace(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPlace(parent), path.slice(parent.length));
  }
}

/** The XDG specification requires ignoring relative values. */
function xdg(env: NodeJS.ProcessEnv, name: string, fallback: string): string {
  const given = env[name];
  return join(given && isAbsolute(given) ? given : join(homeOf(env), fallback), 'countersign');
}
