import { execFile } from 'node:child_process';
import { accessSync, closeSync, constants, openSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, isAbsolute, join } from 'node:path';
import { componentsBelow, errnoOf, once, orNull } from '@countersign/host';

/** Chooses: a path, or `none` for a search without ripgrep. */
export const CHOICE_VARIABLE = 'COUNTERSIGN_RIPGREP';

const MAJOR_MIN = 13; // the first that knows every option we use
const VERSION_ANSWER_MS_MAX = 5_000; // it takes three; whatever takes this long is something else

/** The ripgrep to use: the one chosen, else the shipped one, else one that is installed; null without any. */
export async function findRipgrep(
  workspace: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<string | null> {
  const chosen = environment[CHOICE_VARIABLE];
  if (chosen === 'none') return null;
  if (chosen) return chosen;
  const ours = shippedRipgrep();
  if (ours !== null && isReachable(ours)) return ours;
  return installedRipgrep(workspace, environment.PATH ?? '');
}

/** Whether the user named the program. */
export const isChosen = (environment: NodeJS.ProcessEnv): boolean =>
  (environment[CHOICE_VARIABLE] ?? '') !== '';

/** Whether this very user may open it: a program of another user may lie in a private directory. */
const isReachable = (program: string): boolean => orNull(() => closeSync(openSync(program, 'r'))) !== null;

/** Looked up, not imported: the package throws where it has no binary for the platform. */
export const shippedRipgrep = once((): string | null => {
  const program = process.platform === 'win32' ? 'rg.exe' : 'rg';
  try {
    // The binary is a dependency of that package, not ours, and may lie where only it can see it.
    const fromThere = createRequire(createRequire(import.meta.url).resolve('@vscode/ripgrep'));
    return fromThere.resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/${program}`);
  } catch (error) {
    if (errnoOf(error) === 'MODULE_NOT_FOUND') return null;
    throw error;
  }
});

/** The first on the search path that is new enough. A program in the workspace is untrusted. */
export async function installedRipgrep(workspace: string, searchPath: string): Promise<string | null> {
  for (const directory of searchPath.split(delimiter)) {
    const program = isAbsolute(directory) ? runnable(join(directory, 'rg')) : null;
    if (program === null || componentsBelow(workspace, program) !== null) continue;
    if ((await majorVersionOf(program)) >= MAJOR_MIN) return program;
  }
  return null;
}

const runnable = (path: string): string | null =>
  orNull(() => {
    accessSync(path, constants.X_OK);
    return realpathSync.native(path);
  });

const versions = new Map<string, Promise<number>>();

/** 0 for what is no ripgrep. */
function majorVersionOf(program: string): Promise<number> {
  const asked =
    versions.get(program) ??
    new Promise<number>((resolve) => {
      execFile(program, ['--version'], { timeout: VERSION_ANSWER_MS_MAX, env: {} }, (_, stdout) =>
        resolve(Number(/^ripgrep (\d+)\./.exec(stdout)?.[1] ?? 0)),
      );
    });
  versions.set(program, asked);
  return asked;
}
