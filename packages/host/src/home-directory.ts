import { homedir, userInfo } from 'node:os';
import { isAbsolute } from 'node:path';
import { orNull } from './or-null.js';

/**
 * The user's home directory; null if nothing names one. An empty or relative `HOME` names none: it would be wherever the
 * program happens to be started, often in an untrusted workspace.
 */
export function homeDirectory(environment: { readonly [name: string]: string | undefined }): string | null {
  const given = environment['HOME'];
  if (given !== undefined && isAbsolute(given)) return given;
  return homeOnRecord();
}

/** The one that the system has on record for this user, whatever the environment contains. */
export function homeOnRecord(): string | null {
  // Windows keeps no such record: there the directory comes from the user's profile.
  const home = orNull(() => (process.platform === 'win32' ? homedir() : userInfo().homedir));
  // Some containers have no record of their user.
  return home !== null && isAbsolute(home) ? home : null;
}
