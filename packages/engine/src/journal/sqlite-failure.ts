import { JournalError } from './journal.js';
import { DbError } from './open-database.js';

/** Somebody else is writing; trying again later helps. */
export const isBusy = (error: unknown): boolean => error instanceof DbError && BUSY.test(error.code);

// PROTOCOL: several processes recover the write-ahead log at the same moment.
const BUSY = /^SQLITE_(BUSY|LOCKED|PROTOCOL)/;

/** What a failed attempt means for who uses the journal. What SQLite did not report is a bug of ours and passes through. */
export function toJournalError(error: unknown, path: string, waitedMs: number): unknown {
  if (!(error instanceof DbError)) return error;
  if (isBusy(error)) return new JournalError({ code: 'journal_locked', path, waitedMs });
  const kind = /^SQLITE_([A-Z]+)/.exec(error.code)?.[1];
  switch (kind) {
    case 'FULL':
      return new JournalError({ code: 'journal_full', path });
    case 'READONLY':
      return new JournalError({ code: 'journal_read_only', path });
    case 'CORRUPT':
    case 'NOTADB':
      return new JournalError({ code: 'journal_corrupt', path, detail: error.message });
    default:
      return new JournalError({
        code: 'journal_unavailable',
        path,
        detail: `${error.message} (${error.code})`,
      });
  }
}
