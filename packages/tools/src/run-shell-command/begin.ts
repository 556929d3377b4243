import { type RunContext, ToolFailure } from '@countersign/engine';
import { readFailure } from '../file-failure.js';
import { shownPath } from '../paths/components.js';
import { insideDirectory } from '../paths/open-inside.js';
import { type Beginning, beginCommand } from '../processes/begin-command.js';
import type { RunningCommand } from '../processes/running-command.js';
import type { ShellOptions } from './options.js';
import { grantedDirectory } from './working-directory.js';

/** Starts a command in the directory that was granted, whatever its path leads to by now. */
export async function begin(
  command: string,
  number: number,
  { plan, workspace, directory: keptIn }: RunContext,
  { passEnvironment: pass }: ShellOptions,
): Promise<RunningCommand> {
  const directory = grantedDirectory(plan);
  try {
    return await insideDirectory(directory, 'fail', async (held) =>
      started({ keptIn, number, command, heldDirectory: held.at('.'), directory, host: process.env, pass }),
    );
  } catch (error) {
    throw readFailure(error, shownPath(workspace, directory));
  }
}

function started(beginning: Beginning): RunningCommand {
  try {
    return beginCommand(beginning);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new ToolFailure({
      code: 'execution_failed',
      message: `The command could not be started: ${problem}`,
    });
  }
}
