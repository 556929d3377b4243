import { resolvePath } from '@countersign/host';
import type { Plan } from '@countersign/protocol';
import { assertDirectory } from '../define-tool/assert-directory.js';

/** The real path of the directory that a command is to run in. It has to be there. */
export async function workingDirectory(workspace: string, given: string | undefined): Promise<string> {
  if (given === undefined) return workspace;
  const path = await resolvePath(workspace, given);
  await assertDirectory(path, workspace, 'near');
  return path;
}

/** The one that was judged when the call was planned. */
export function grantedDirectory({ locations, title }: Plan): string {
  const [first] = locations;
  if (first === undefined) throw new Error(`the plan "${title}" names no directory`);
  return first.path;
}
