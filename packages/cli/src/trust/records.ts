import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from '@countersign/host';
import { z } from 'zod';
import { CommandFailure, messageOf } from '../io/failure-text.js';
import { decodeText, readRegularFile } from '../io/regular-file.js';
import { configDirectory } from '../options/places.js';

/** The user's trust in the content of a folder. */
export type TrustRecord = z.infer<typeof RecordSchema>;

const RecordSchema = z.object({
  /** The folder, a real path. */
  path: z.string(),
  /** The hash of all files together. */
  hash: z.string(),
  at: z.number(),
  /** The trusted files, to name those that changed. */
  files: z.array(z.object({ path: z.string(), hash: z.string() })).readonly(),
});

/**
 * One file per folder, named by the hash of its path, so that processes that trust different folders
 * never write the same file.
 */
const recordsDirectory = (env: NodeJS.ProcessEnv) => join(configDirectory(env), 'trusted-folders');
const recordFile = (path: string, env: NodeJS.ProcessEnv) =>
  join(recordsDirectory(env), `${createHash('sha256').update(path).digest('hex')}.json`);

export function recordOf(path: string, env: NodeJS.ProcessEnv): TrustRecord | null {
  const record = readRecord(recordFile(path, env));
  return record?.path === path ? record : null;
}

/** All records, sorted by path. */
export async function allRecords(env: NodeJS.ProcessEnv): Promise<readonly TrustRecord[]> {
  const names = await readdir(recordsDirectory(env)).catch(() => []);
  const records = names
    .filter((name) => name.endsWith('.json'))
    .map((name) => readRecord(join(recordsDirectory(env), name)));
  return records.filter((record) => record !== null).sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** An unreadable record counts as no trust. */
function readRecord(file: string): TrustRecord | null {
  const read = readRegularFile(file);
  const text = read.type === 'read' ? decodeText(read.bytes) : null;
  if (text === null) return null;
  try {
    return RecordSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

const OWNER_ONLY = 0o600;
const OWNER_ONLY_DIRECTORY = 0o700;

/** Written atomically: a reader finds the old record or the new one. */
export async function writeRecord(record: TrustRecord, env: NodeJS.ProcessEnv): Promise<void> {
  const file = recordFile(record.path, env);
  const temporary = `${file}.${randomBytes(8).toString('hex')}.tmp`;
  try {
    await mkdir(recordsDirectory(env), { recursive: true, mode: OWNER_ONLY_DIRECTORY });
    const handle = await open(temporary, 'wx', OWNER_ONLY);
    try {
      await handle.writeFile(`${JSON.stringify(record, null, 2)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (thrown) {
    await rm(temporary, { force: true }).catch(() => {});
    throw notWritten(file, thrown);
  }
}

/** Returns whether there was one. */
export async function removeRecord(path: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const file = recordFile(path, env);
  try {
    await rm(file);
    return true;
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return false;
    throw notWritten(file, thrown);
  }
}

const notWritten = (path: string, thrown: unknown) =>
  new CommandFailure({
    code: 'file_write_failure',
    path,
    message: messageOf(thrown),
  });
