import { workspaceFiles } from '@countersign/tools';

const FILES_MAX = 200_000; // enough to choose from, and little memory
const LIST_MS_MAX = 10_000;

/** The paths of a workspace without ignored files, as many as can be listed in time. */
export async function listFiles(workspace: string): Promise<readonly string[]> {
  const { files } = await workspaceFiles(workspace, FILES_MAX, AbortSignal.timeout(LIST_MS_MAX));
  return files;
}
