import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** Somewhere outside /tmp, which confined commands have to themselves; null where there is no such place to write in. */
export const NOT_IN_TMP: string | null =
  [join(process.cwd(), 'packages/tools/dist'), homedir(), '/var/lib', '/srv'].find((path) =>
    isElsewhere(path),
  ) ?? null;

/** Tests are made as nobody, too, who has to get there. */
export function isOpenToAll(path: string): boolean {
  return path === '/' || ((statSync(path).mode & 0o001) !== 0 && isOpenToAll(dirname(path)));
}

function isElsewhere(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    const real = realpathSync(path);
    return !/^\/(tmp|var\/tmp|run)(\/|$)/.test(real) && isOpenToAll(real);
  } catch {
    return false;
  }
}
