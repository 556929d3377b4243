import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ToolFailure } from '@countersign/protocol';

export const PRIVATE_FILE_MODE = 0o600;
export const PRIVATE_DIRECTORY_MODE = 0o700;

/**
 * Writes a file as JSON that only its owner can read. It is renamed into place, so that a crash leaves no partial file.
 * Throws a `ToolFailure` if it cannot be written, e.g. because the disk is full.
 */
export async function writePrivateFile(path: string, value: object): Promise<void> {
  const temporary = `${path}.${process.pid}.new`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: PRIVATE_DIRECTORY_MODE });
    await rm(temporary, { force: true });
    await writeNew(temporary, `${JSON.stringify(value, null, 2)}\n`);
    await rename(temporary, path);
  } catch (thrown) {
    await rm(temporary, { force: true }).catch(() => {});
    throw notWritten(path, thrown);
  }
}

async function writeNew(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', PRIVATE_FILE_MODE);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

function notWritten(path: string, thrown: unknown): unknown {
  if (!(thrown instanceof Error) || !('code' in thrown)) return thrown;
  const { code, message } = thrown;
  return new ToolFailure(
    code === 'ENOSPC' || code === 'EDQUOT'
      ? { code: 'no_space_left', path }
      : { code: 'file_write_failure', path, message },
  );
}

/** Null if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
