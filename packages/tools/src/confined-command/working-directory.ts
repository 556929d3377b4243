import { statSync } from 'node:fs';
import { nearestPaths, readFailure, resolvePath, shownPath } from '@countersign/host';
import { type Plan, ToolFailure } from '@countersign/protocol';

/** The real path of the directory that a command is to run in. It has to be there. */
export async function workingDirectory(workspace: string, given: string | undefined): Promise<string> {
  if (given === undefined) return workspace;
  const path = await resolvePath(workspace, given);
  const shown = shownPath(workspace, path);
  const stats = statOf(path, shown);
  if (stats === undefined) {
    const nearest = (await nearestPaths(path)).map((name) => shownPath(workspace, name));
    throw new ToolFailure({ code: 'file_not_found', path: shown, nearest });
  }
  if (!stats.isDirectory()) throw new ToolFailure({ code: 'target_is_not_directory', path: shown });
  return path;
}

/** The one that was judged when the call was planned. */
export function grantedDirectory({ locations, title }: Plan): string {
  const [first] = locations;
  if (first === undefined) throw new Error(`the plan "${title}" names no directory`);
  return first.path;
}

function statOf(path: string, shown: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw readFailure(error, shown);
  }
}
