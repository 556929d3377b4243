import type { FailureOf } from '@countersign/protocol';
import type { JournalFacts } from './facts.js';
import type { JournalInbox } from './inbox.js';
import type { JournalOwnership } from './ownership.js';
import type { JournalViews } from './views.js';

/**
 * Where facts are kept: four interfaces of one store, because an append changes all of them at once. Each adapter passes
 * the contract of the testkit (`journalContract`): memory here, SQLite in `packages/store-sqlite`.
 *
 * Reads that find damage throw a `JournalError`; appends return their failure, since the caller must decide again.
 *
 * @example
 * ```ts
 * const journal: Journal = await sqlite('/home/me/.my-agent/journal.db');
 * await new Scheduler({ toolRegistry: registry, journal, sessionId: 'monday' }).resume();
 * ```
 */
export interface Journal extends JournalFacts, JournalOwnership, JournalInbox, JournalViews {
  /** How to name this journal in a message. */
  readonly place: string;
  close(): Promise<void>;
}

/** A journal that cannot be opened or read. */
export class JournalError extends Error {
  constructor(
    readonly failure: FailureOf<
      | 'journal_full'
      | 'journal_read_only'
      | 'journal_locked'
      | 'journal_corrupt'
      | 'journal_newer'
      | 'journal_foreign'
      | 'journal_unavailable'
      | 'unknown_session'
    >,
  ) {
    super(failure.code);
    this.name = 'JournalError';
  }
}
