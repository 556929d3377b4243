import { chmodSync, constants, copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JournalError } from '@countersign/engine/journal';

export type JournalCopy = { readonly path: string; readonly remove: () => void };

/** A journal that is written more often than this while it is copied is busy. */
const TRIES_MAX = 5;

/** A copy of the file and of its log as they were at one moment, in a directory that only this user can enter. */
export function copyJournal(path: string): JournalCopy {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-reading-'));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  try {
    const copy = join(directory, 'journal.db');
    for (let tries = 1; tries <= TRIES_MAX; tries++) {
      const before = stateOf(path);
      for (const suffix of ['', '-wal']) copyPart(`${path}${suffix}`, `${copy}${suffix}`);
      if (stateOf(path) === before) return { path: copy, remove };
    }
    throw new JournalError({ code: 'journal_locked', path, waitedMs: 0 });
  } catch (error) {
    remove();
    throw error;
  }
}

function copyPart(from: string, to: string): void {
  rmSync(to, { force: true });
  if (!existsSync(from)) return;
  copyFileSync(from, to, constants.COPYFILE_FICLONE);
  // The mode was copied, too.
  chmodSync(to, 0o600);
}

/** Changes with every write to the file or its log. */
const stateOf = (path: string): string =>
  ['', '-wal']
    .map((suffix) => statSync(`${path}${suffix}`, { bigint: true, throwIfNoEntry: false }))
    .map((stat) => `${stat?.ino} ${stat?.size} ${stat?.mtimeNs}`)
    .join('\n');
