import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { type EditorName, editorCommand, findRipgrep, sandboxStatus } from '@countersign/tools';
import type { Settings } from '../settings/settings.js';
import { type Check, note, ok, problem } from './check.js';

/** For a program to print its version. */
const ANSWER_MS_MAX = 3_000;

/** The external programs that tools use. */
export function checkPrograms(
  settings: Settings,
  workspace: string,
  env: NodeJS.ProcessEnv,
): readonly Promise<Check>[] {
  return [
    Promise.resolve(ok('node', process.version)),
    checkShell(),
    checkSandbox(settings),
    checkRipgrep(workspace, env),
    checkGit(env),
    Promise.resolve(checkEditor(settings.get('editor').value ?? undefined, env)),
  ];
}

const SHELLS = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'];

async function checkShell(): Promise<Check> {
  const bash = SHELLS.find((path) => existsSync(path));
  const version = bash === undefined ? null : await firstLine(bash, {});
  return bash !== undefined && version !== null
    ? ok('bash', `${bash}: ${version}`)
    : note('bash', 'It is not installed, so commands run with /bin/sh.', 'Install the package "bash".');
}

async function checkSandbox(settings: Settings): Promise<Check> {
  const { confined, text, fix } = await sandboxStatus({ sandbox: settings.get('sandbox').value });
  if (confined === 'refused') return problem('sandbox', text, fix ?? 'Switch the sandbox off.');
  return fix === null ? ok('sandbox', text) : note('sandbox', text, fix);
}

async function checkRipgrep(workspace: string, env: NodeJS.ProcessEnv): Promise<Check> {
  const program = await findRipgrep(workspace, env);
  const version = program === null ? null : await firstLine(program, {});
  if (version !== null) return ok('ripgrep', `${program}: ${version}`);
  return program === null
    ? note('ripgrep', 'Not found; searches are slower without it.', 'Install ripgrep 13 or newer.')
    : problem(
        'ripgrep',
        `${program} does not run.`,
        'Set COUNTERSIGN_RIPGREP to a working program, or to "none".',
      );
}

async function checkGit(env: NodeJS.ProcessEnv): Promise<Check> {
  const version = await firstLine('git', { PATH: env['PATH'] ?? '' });
  return version === null
    ? note('git', 'It is not installed; .gitignore still applies.', 'Install git.')
    : ok('git', version);
}

function checkEditor(chosen: EditorName | undefined, env: NodeJS.ProcessEnv): Check {
  const command = editorCommand(chosen, { current: '', proposed: '' }, env);
  const fix = 'Set "editor" in settings, or VISUAL or EDITOR.';
  if (command === null) return note('editor', 'No editor is set, so calls cannot be modified in one.', fix);
  return isThere(command.program, env['PATH'] ?? '')
    ? ok('editor', command.name)
    : note('editor', `${command.name} is not installed.`, fix);
}

function isThere(program: string, searchPath: string): boolean {
  const places = isAbsolute(program)
    ? [program]
    : searchPath.split(delimiter).map((each) => join(each, program));
  return places.some((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** The first line of `--version`; null if the program does not run. Not run in the workspace, whose files could affect it. */
async function firstLine(program: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)(program, ['--version'], {
      cwd: '/',
      env,
      timeout: ANSWER_MS_MAX,
    });
    return stdout.split('\n')[0]?.trim() || null;
  } catch {
    return null;
  }
}
