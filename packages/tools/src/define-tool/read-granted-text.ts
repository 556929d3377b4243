import { type RunContext } from '@countersign/engine';
import {
  componentsBelow,
  decodeText,
  errnoOf,
  guessMimeType,
  insideDirectory,
  nearestPaths,
  readFailure,
  readWholeFile,
  resolvePath,
  shownPath,
  splitPath,
} from '@countersign/host';
import { type Plan, ToolFailure } from '@countersign/protocol';

const TEXT_BYTES_MAX = 20_000_000; // as read_file: larger files are data or logs, and decoding blocks everybody else

/** The whole text of a file, which must be one that the plan named: nothing else was granted. */
export async function readGrantedText(
  given: string,
  { plan, workspace }: Pick<RunContext, 'plan' | 'workspace'>,
): Promise<string> {
  const path = await resolvePath(workspace, given);
  const shown = shownPath(workspace, path);
  if (!isGranted(path, plan)) {
    const message = `${shown} is not among the files that this call was planned to touch.`;
    throw new ToolFailure({ code: 'execution_failed', message });
  }
  const bytes = await bytesOf(path, shown);
  if (bytes === null) {
    const nearest = (await nearestPaths(path)).map((name) => shownPath(workspace, name));
    throw new ToolFailure({ code: 'file_not_found', path: shown, nearest });
  }
  const decoded = decodeText(bytes);
  if (decoded === null)
    throw new ToolFailure({ code: 'binary_file', path: shown, mimeType: guessMimeType(bytes, shown) });
  return decoded.text;
}

function isGranted(path: string, { resources }: Plan): boolean {
  return resources.some(
    (resource) =>
      (resource.kind === 'fs.read' || resource.kind === 'fs.write') &&
      (resource.path === path ||
        (resource.scope === 'tree' && componentsBelow(resource.path, path) !== null)),
  );
}

/** null if there is no such file. */
async function bytesOf(path: string, shown: string): Promise<Buffer | null> {
  const { parent, name } = splitPath(path);
  try {
    const file = await insideDirectory(parent, 'fail', (directory) =>
      readWholeFile(directory, name, shown, TEXT_BYTES_MAX),
    );
    return file?.bytes ?? null;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw readFailure(error, shown);
  }
}
