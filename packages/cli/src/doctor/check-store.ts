import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { JournalError } from '@countersign/engine';
import { storePath } from '../compose/compose.js';
import { withStore } from '../compose/known-store.js';
import { CommandFailure } from '../io/failure-text.js';
import type { Io } from '../io/io.js';
import { type Check, failed, ok, problem } from './check.js';

/** Whether the store can be written. The check does not create one. */
export async function checkStore(store: string | undefined, io: Pick<Io, 'env' | 'stderr'>): Promise<Check> {
  const path = storePath(store, io.env);
  try {
    return await withStore(store, io, 'write', async (journal) => {
      if (!journal) return checkPlace(path);
      const sessions = (await journal.list()).length;
      const bytes = sizeOf(path) + sizeOf(`${path}-wal`);
      const held = `${sessions} ${sessions === 1 ? 'session' : 'sessions'} in ${(bytes / 1e6).toFixed(1)} MB`;
      return ok('store', `${path} can be read and written: ${held}.`);
    });
  } catch (thrown) {
    if (thrown instanceof CommandFailure || thrown instanceof JournalError)
      return failed('store', thrown.failure);
    throw thrown;
  }
}

function checkPlace(path: string): Check {
  let directory = dirname(path);
  while (!existsSync(directory)) directory = dirname(directory);
  try {
    accessSync(directory, constants.W_OK);
    return ok('store', `It does not exist yet; the first session creates ${path}.`);
  } catch {
    return problem(
      'store',
      `${path} cannot be created, because ${directory} is not writable.`,
      'Make it writable, or set COUNTERSIGN_HOME to another directory.',
    );
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
