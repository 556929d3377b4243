import { accessSync, constants, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Somewhere outside /tmp, which confined commands have to themselves; null where there is no such place to write in. */
export const NOT_IN_TMP: string | null =
  [join(process.cwd(), 'packages/tools/dist'), homedir(), '/var/lib', '/srv'].find((path) =>
    isElsewhere(path),
  ) ?? null;

function isElsewhere(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return !/^\/(tmp|var\/tmp|run)(\/|$)/.test(realpathSync(path));
  } catch {
    return false;
  }
}
