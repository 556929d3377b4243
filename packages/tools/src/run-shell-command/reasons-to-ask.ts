import { basename } from 'node:path';
import type { GitCall } from '@countersign/commands';
import type { CommandAnalysis, DeclaredResource } from '@countersign/protocol';
import { configuredPrograms } from '../git-configuration/programs-configured.js';
import { programsBrought } from '../repository-programs/programs-brought.js';
import { onwardFrom } from './folders.js';
import { withHome } from './home-of.js';

export type Asking = {
  readonly workspace: string;
  /** Where it runs. */
  readonly directory: string;
  /** Where its commands may run: there, and where it goes. */
  readonly folders: readonly string[];
  readonly isConfined: () => Promise<boolean>;
};

/**
 * Reasons to ask that no path in a command line shows: programs that a repository configures, and the environments of
 * other processes.
 */
export async function reasonsToAsk(
  analysis: CommandAnalysis,
  { workspace, directory, folders, isConfined }: Asking,
): Promise<DeclaredResource[]> {
  const { gitCalls, printsEnvironments } = await import('@countersign/commands');
  const programs = [...new Set(analysis.units.map(({ program }) => basename(program ?? '')))];
  const reasons = new Set([
    ...gitCalls(analysis).flatMap((call) => folders.map((folder) => gitReason(call, folder, workspace))),
    ...folders.map((folder) => programsBrought(programs, folder)),
    printsEnvironments(analysis) && !(await isConfined()) ? PRINTS_ENVIRONMENTS : null,
  ]);
  return [...reasons]
    .filter((guarded) => guarded !== null)
    .map((guarded) => ({ kind: 'fs.read', path: directory, scope: 'tree', guarded }));
}

const PRINTS_ENVIRONMENTS =
  'it may print the environment of other processes, where keys are kept, and it is not confined';
const UNKNOWN_REPOSITORY = 'the repository that git would use is known only when it runs';

function gitReason(call: GitCall, from: string, workspace: string): string | null {
  if (!call.isKnown) return UNKNOWN_REPOSITORY;
  let directory = from;
  for (const move of call.directories) {
    const next = onwardFrom(directory, move);
    if (next === null) return UNKNOWN_REPOSITORY;
    directory = next;
  }
  const named = call.gitDirectory ?? process.env['GIT_DIR'] ?? null;
  const gitDirectory = named === null ? null : withHome(named);
  return configuredPrograms({ directory, gitDirectory, command: call.command, workspace });
}
