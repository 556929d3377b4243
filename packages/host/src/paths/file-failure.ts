import { getSystemErrorMap } from 'node:util';
import { type Failure, ToolFailure } from '@countersign/protocol';

/** What to throw after a read went wrong: a failure as data, or the error itself if it is a bug of ours. */
export const readFailure = (error: unknown, path: string): Error =>
  toolFailure(error, path, (message) => ({ code: 'read_content_failure', path, message }));

/** The same after a write went wrong. What a write misses was there when it was planned. */
export const writeFailure = (error: unknown, path: string): Error =>
  errnoOf(error) === 'ENOENT'
    ? new ToolFailure({ code: 'stale_file', path })
    : toolFailure(error, path, (message) => ({ code: 'file_write_failure', path, message }));

/** The errno name of a system error, e.g. `ENOENT`; null for anything else. */
export function errnoOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

function toolFailure(error: unknown, path: string, otherwise: (message: string) => Failure): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  if (error instanceof ToolFailure) return error;
  const known = failureOfErrno(errnoOf(error), path);
  if (known !== null) return new ToolFailure(known);
  const described = systemText(error);
  return described === null ? error : new ToolFailure(otherwise(described));
}

function failureOfErrno(errno: string | null, path: string): Failure | null {
  if (errno === 'ENOENT') return { code: 'file_not_found', path, nearest: [] };
  if (errno === 'EISDIR') return { code: 'target_is_directory', path };
  if (errno === 'ENOTDIR') return { code: 'target_is_not_directory', path };
  if (errno === 'EACCES' || errno === 'EPERM') return { code: 'permission_denied', path };
  if (errno === 'ENOSPC' || errno === 'EDQUOT') return { code: 'no_space_left', path };
  if (errno === 'ENAMETOOLONG')
    return { code: 'invalid_path', path, problem: 'it is too long for the file system' };
  return null;
}

/** Our own words for a system error: Node's name the descriptor path that we opened, which means nothing to a reader. */
function systemText(error: Error): string | null {
  if (!('errno' in error) || typeof error.errno !== 'number') return null;
  const [name, text] = getSystemErrorMap().get(error.errno) ?? [errnoOf(error) ?? 'unknown', 'system error'];
  return `${text} (${name})`;
}
