import { readFileSync } from 'node:fs';
import { homeDirectory, orNull } from '@countersign/host';

/** A path with the home folder that a `~` or `~name` at its start stands for in bash. */
export const withHome = (path: string): string =>
  path.replace(
    /^~([a-z_][\w-]*)?(?=\/|$)/i,
    (written: string, name?: string) =>
      (name === undefined ? homeDirectory(process.env) : homeOf(name)) ?? written,
  );

const ACCOUNTS = '/etc/passwd';

/** null if there is no such person: then bash leaves the word as it is. */
function homeOf(name: string): string | null {
  const lines = orNull(() => readFileSync(ACCOUNTS, 'utf8'))?.split('\n');
  return lines?.find((line) => line.startsWith(`${name}:`))?.split(':')[5] ?? null;
}
