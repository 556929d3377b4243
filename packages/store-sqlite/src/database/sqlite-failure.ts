import { JournalError } from '@countersign/engine/journal';
import { DbError } from './open-database.js';

/** Another connection is writing; a later retry helps. */
export const isBusy = (error: unknown): boolean => error instanceof DbError && error.trouble === 'busy';

/** What a failed attempt means for the user of the journal. What SQLite did not report is a bug of ours and passes through. */
export function toJournalError(error: unknown, path: string, waitedMs: number): unknown {
  if (!(error instanceof DbError)) return error;
  const { trouble, message: detail, sessionId } = error;
  switch (trouble) {
    case 'busy':
      return new JournalError({ code: 'journal_locked', path, waitedMs });
    case 'full':
      return new JournalError({ code: 'journal_full', path });
    case 'read-only':
      return new JournalError({ code: 'journal_read_only', path });
    case 'corrupt':
      return new JournalError({
        code: 'journal_corrupt',
        path,
        detail,
        ...(sessionId !== null && { sessionId }),
      });
    case 'other':
      return new JournalError({ code: 'journal_unavailable', path, detail });
  }
}
