import { type RunContext } from '@countersign/engine';
import {
  type Beginning,
  beginCommand,
  commandFiles,
  insideDirectory,
  makeDirectory,
  type RunningCommand,
  readFailure,
  shownPath,
} from '@countersign/host';
import { ToolFailure } from '@countersign/protocol';
import { confineCommand } from '../confined-command/confine-command.js';
import { forgetConfinement } from '../confined-command/kept-confinement.js';
import type { ShellOptions } from '../confined-command/options.js';
import { reachOf } from '../confined-command/reach.js';
import { grantedDirectory } from '../confined-command/working-directory.js';
import { assertAsJudged } from './as-judged.js';

/** Starts a command in the directory that was granted, whatever its path leads to by now. */
export async function begin(
  command: string,
  number: number,
  context: RunContext,
  options: ShellOptions,
): Promise<RunningCommand> {
  const { permit, plan, workspace, directory: keptIn } = context;
  const { passEnvironment: pass, outputBytesMax } = options;
  const reach = await reachOf(permit.type, plan.needs ?? [], options);
  if (context.signal.aborted) throw new ToolFailure(NEVER_BEGAN);
  const directory = grantedDirectory(plan);
  makeDirectory(commandFiles(keptIn));
  try {
    return await insideDirectory(directory, 'fail', async (held) => {
      await assertAsJudged(command, context, reach.type, options);
      if (reach.type === 'everything') forgetConfinement(keptIn);
      const confine =
        reach.type === 'everything' ? null : await confineCommand(command, reach, context, options);
      const heldDirectory = held.at('.');
      const place = { keptIn, number, heldDirectory, directory };
      return started({ ...place, command, confine, host: process.env, pass, outputBytesMax });
    });
  } catch (error) {
    throw readFailure(error, shownPath(workspace, directory));
  }
}

export const NEVER_BEGAN = { code: 'execution_failed', message: 'Stopped before it started.' } as const;

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
