import { homedir, userInfo } from 'node:os';
import { isAbsolute } from 'node:path';

/**
 * The user's home directory; null if nothing names one. An empty or relative `HOME` names none: it would be wherever the
 * program happens to be started, often in an untrusted workspace.
 */
export function homeDirectory(environment: { readonly [name: string]: string | undefined }): string | null {
  const given = environment['HOME'];
  if (given !== undefined && isAbsolute(given)) return given;
  return homeOnRecord();
}

/** The one that the system has on record for this user, whatever the environment says. */
export function homeOnRecord(): string | null {
  try {
    // Windows keeps no such record: there the directory comes from the user's profile.
    const home = process.platform === 'win32' ? homedir() : userInfo().homedir;
    return isAbsolute(home) ? home : null;
  } catch {
    return null; // a user without a record, as in some containers
  }
}
