import { commandEnvironment } from '@countersign/host';
import type { HookDefinition } from '../hook/hook.js';
import type { HookContext } from './hook-context.js';

type Directories = Pick<HookContext, 'workspace' | 'plansDirectory'>;
type Surroundings = Directories & Pick<HookContext, 'sessionId' | 'environment' | 'pass'>;

/** The environment of a command, the variables that Gemini CLI sets for hooks, and those of the hook's own settings. */
export function hookEnvironment(
  hook: HookDefinition,
  { workspace, plansDirectory, sessionId, environment, pass }: Surroundings,
  tag: string,
): { readonly [name: string]: string } {
  return {
    ...commandEnvironment(environment, { tag, directory: workspace, pass }),
    GEMINI_PROJECT_DIR: workspace,
    GEMINI_PLANS_DIR: plansDirectory,
    GEMINI_CWD: workspace,
    GEMINI_SESSION_ID: sessionId,
    CLAUDE_PROJECT_DIR: workspace,
    ...hook.env,
  };
}

/** What is escaped or quoted already, or the name of a directory standing free. */
const PIECES = /\\.|'[^']*'|"(?:\\.|[^"\\])*"|\$(?:NAMES)\b|\$\{(?:NAMES)\}/.source.replaceAll(
  'NAMES',
  'GEMINI_PROJECT_DIR|GEMINI_CWD|GEMINI_PLANS_DIR|CLAUDE_PROJECT_DIR',
);
const IS_PLAIN_PATH = /^[\w@%+=:,./-]*$/;

/**
 * The command for the shell. Hooks name their script as `$GEMINI_PROJECT_DIR/check.sh`, without quotes, since Gemini CLI
 * puts the path there quoted; a shell would take a path with a blank for two words.
 */
export function hookCommand(command: string, { workspace, plansDirectory }: Directories): string {
  if (IS_PLAIN_PATH.test(workspace + plansDirectory)) return command;
  return command.replace(new RegExp(PIECES, 'gs'), (piece) => (piece.startsWith('$') ? `"${piece}"` : piece));
}
