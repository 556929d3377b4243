import { type RunContext } from '@countersign/engine';
import { type Classified, classifierFor } from '@countersign/host';
import { type DeclaredResource, type Plan, ToolFailure } from '@countersign/protocol';
import type { ShellOptions } from '../confined-command/options.js';
import { grantedDirectory } from '../confined-command/working-directory.js';
import { understand } from './resources.js';

/**
 * Checks again before a command starts without approval: links,
 * matches of patterns and the configuration of a repository may have changed
 * since it was judged. What a person agreed to is as they were shown it.
 */
export async function assertAsJudged(
  command: string,
  { plan, permit, workspace }: Pick<RunContext, 'plan' | 'permit' | 'workspace'>,
  reach: 'everything' | 'confined',
  options: ShellOptions,
): Promise<void> {
  if (permit.type === 'person') return;
  const { resources } = await understand(command, {
    workspace,
    directory: grantedDirectory(plan),
    isConfined: () => Promise.resolve(reach === 'confined'),
    options,
  });
  const classify = classifierFor(options);
  const appeared = resources.find(
    (resource) => !wasJudged(resource, plan, (path) => classify(workspace, path)),
  );
  if (appeared === undefined || !('path' in appeared)) return;
  const why = appeared.guarded ?? classify(workspace, appeared.path).guarded ?? 'it is outside the workspace';
  throw new ToolFailure({
    code: 'execution_failed',
    message: `Nothing was run: the files that the command touches have changed since it was evaluated. It would touch ${appeared.path}: ${why}. Call it again to have it evaluated in the current state.`,
  });
}

function wasJudged(
  resource: DeclaredResource,
  { resources }: Plan,
  classified: (path: string) => Classified,
): boolean {
  if (!('path' in resource)) return true;
  const { kind, path, guarded = null } = resource;
  const { place, guarded: byName, guardsReading, ours } = classified(path);
  const isFree = byName === null || (kind === 'fs.read' && !guardsReading);
  if (place === 'workspace' && isFree && !ours && guarded === null) return true;
  return resources.some(
    (judged) =>
      judged.kind === kind &&
      judged.path === path &&
      (guarded === null || byName !== null || judged.guarded === guarded),
  );
}
