import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findRipgrep } from '@countersign/tools';

/** More paths than this nobody can choose from, and they fit into memory with ease. */
const OUTPUT_BYTES_MAX = 64_000_000;
const LIST_MS_MAX = 10_000;
const IGNORE_FILES = ['.geminiignore', '.countersignignore'];

/** The paths of a workspace, without what its ignore files leave out; none where there is no ripgrep. */
export async function listFiles(workspace: string, env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const ripgrep = await findRipgrep(workspace, env);
  if (ripgrep === null) return [];
  const ignore = IGNORE_FILES.map((name) => join(workspace, name)).filter((path) => existsSync(path));
  const args = [
    '--files',
    '--null',
    '--hidden',
    '--no-config',
    '--glob=!.git',
    ...ignore.map((path) => `--ignore-file=${path}`),
  ];
  return new Promise((resolve) => {
    const options = { cwd: workspace, maxBuffer: OUTPUT_BYTES_MAX, timeout: LIST_MS_MAX };
    // What could be listed before something went wrong is better than nothing.
    execFile(ripgrep, args, options, (_, stdout) => resolve(stdout.split('\0').slice(0, -1)));
  });
}
