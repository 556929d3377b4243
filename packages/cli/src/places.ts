import { readdir, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { usage } from './failure-text.js';

/** Where things are kept, by the XDG conventions; `COUNTERSIGN_HOME` moves all of it. */
export function storeDirectory(env: NodeJS.ProcessEnv): string {
  return env['COUNTERSIGN_HOME'] || xdg(env['XDG_STATE_HOME'], '.local/state');
}

/** What a person has set up: settings, policies, and which folders are trusted. */
export function configDirectory(env: NodeJS.ProcessEnv): string {
  return env['COUNTERSIGN_HOME'] || xdg(env['XDG_CONFIG_HOME'], '.config');
}

/** What an administrator has set up, for everybody on the machine. */
export const ADMIN_DIRECTORY = '/etc/countersign';

/** What a workspace brings along, beneath its root. */
export const PROJECT_DIRECTORY = '.countersign';

export const SETTINGS_FILE = 'settings.json';
export const POLICIES = 'policies';

/** Policy files of a directory in a fixed order; none if there is no such directory. */
export async function policyFilesIn(directory: string): Promise<readonly string[]> {
  const names = await readdir(directory).catch((thrown: unknown) => {
    if (
      thrown instanceof Error &&
      'code' in thrown &&
      (thrown.code === 'ENOENT' || thrown.code === 'ENOTDIR')
    )
      return [];
    throw thrown;
  });
  return names
    .filter((name) => name.endsWith('.toml'))
    .sort()
    .map((name) => join(directory, name));
}

/** The workspace as the kernel of the operating system sees it: every later check compares with this. */
export async function realWorkspace(given: string): Promise<string> {
  const path = resolve(given);
  const real = await realpath(path).catch(() => null);
  if (!real || !(await stat(real)).isDirectory()) {
    throw usage(`The workspace ${path} is not a directory`, '--workspace DIR, with a directory that exists');
  }
  return real;
}

// The specification says that relative values are to be ignored.
const xdg = (value: string | undefined, fallback: string) =>
  join(value && isAbsolute(value) ? value : join(homedir(), fallback), 'countersign');
