import { workspaceFiles } from '@countersign/tools';

const FILES_MAX = 200_000; // more paths than this nobody can choose from, and they fit into memory with ease
const LIST_MS_MAX = 10_000;

/** The paths of a workspace, without what its ignore files omit: as many as could be listed in time. */
export async function listFiles(workspace: string): Promise<readonly string[]> {
  const { files } = await workspaceFiles(workspace, FILES_MAX, AbortSignal.timeout(LIST_MS_MAX));
  return files;
}
