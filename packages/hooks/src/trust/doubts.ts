import { changedFiles } from '../hook/changed-files.js';
import type { HookDefinition, HookFailure } from '../hook/hook.js';
import { contentOf, type HookContent } from './content-hash.js';

/** Hooks of a project with their content as the user reviewed and trusted it. */
export type TrustedHooks = ReadonlyMap<HookDefinition, HookContent>;

/**
 * Why a hook may not run now. Those of a project run only as they were trusted, and a session may last long enough for
 * a script to be edited, by the agent itself too.
 */
export async function doubtsAbout(
  hook: HookDefinition,
  workspace: string,
  trusted: TrustedHooks,
): Promise<HookFailure | null> {
  if (hook.source !== 'project') return null;
  const then = trusted.get(hook);
  if (then === undefined) return { how: 'not_trusted', changes: [] };
  try {
    const now = await contentOf(hook, workspace);
    const changes = changedFiles(then.files, now.files);
    return now.hash === then.hash && changes.length === 0 ? null : { how: 'not_trusted', changes };
  } catch (thrown) {
    // The workspace itself may be deleted.
    return { how: 'not_started', message: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}
