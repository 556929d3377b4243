import { type PlanContext } from '@countersign/engine';
import {
  contentHash,
  decodeText,
  fileNotFound,
  readFileAt,
  resolvePath,
  shownPath,
  splitPath,
} from '@countersign/host';
import { type Failure, PLANS_DIRECTORY, ToolFailure } from '@countersign/protocol';

const PLAN_BYTES_MAX = 500_000; // more than a user can review at once

export type PlanFile = { readonly path: string; readonly shown: string; readonly bytes: Uint8Array };

/** A plan by its name, or by its path. It must lie where plan mode lets plans be written, and nowhere else. */
export async function findPlan(given: string, context: PlanContext): Promise<PlanFile> {
  const { workspace } = context;
  const path = await resolvePath(workspace, given.includes('/') ? given : `${PLANS_DIRECTORY}/${given}`);
  const shown = shownPath(workspace, path);
  if (!isPlanPath(shown)) {
    const problem = `a plan is a file ${PLANS_DIRECTORY}/NAME.md of the workspace`;
    throw new ToolFailure({ code: 'invalid_path', path: given, problem });
  }
  const bytes = (await context.earlier(path)) ?? (await readFileAt(path, shown, PLAN_BYTES_MAX))?.bytes;
  if (!bytes) throw await fileNotFound(path, workspace, 'near');
  return { path, shown, bytes };
}

export function planText({ bytes, shown }: PlanFile): string {
  const text = decodeText(bytes)?.text;
  if (text === undefined) throw failed('plan_not_text', `${shown} is not text.`);
  if (text.trim() === '')
    throw failed('plan_empty', `${shown} is empty. Write the plan into it with write_file first.`);
  return text;
}

/** What was agreed to is what was shown: a plan that was changed since is shown again. */
export async function assertUnchanged(path: string, hash: string | null, shown: string): Promise<void> {
  const file = await readFileAt(path, shown, PLAN_BYTES_MAX);
  if (file === null || contentHash(file.bytes) !== hash)
    throw new ToolFailure({ code: 'stale_file', path: shown });
}

const failed = (type: string, message: string): ToolFailure =>
  new ToolFailure({ code: 'execution_failed', message, type } satisfies Failure);

function isPlanPath(shown: string): boolean {
  const { parent, name } = splitPath(shown);
  return parent === `/${PLANS_DIRECTORY}` && name.endsWith('.md') && !shown.startsWith('/');
}
