import { type Journal, JournalError, memoryJournal } from '@countersign/engine';
import { alteredJournal } from './altered-journal.js';

export const LOCKED = { code: 'journal_locked', path: 'memory', waitedMs: 5_000 } as const;

/** Which operations fail, and how often still. `Infinity` is until further notice. */
export type Failing = { append: number; read: number; inbox: number; grants: number; answerOf: number };

/** A journal that fails when told to. A failure means that nothing was done. */
export function unreliableJournal(inner: Journal = memoryJournal({ keep: 'all' })): {
  readonly journal: Journal;
  readonly failing: Failing;
} {
  const failing: Failing = { append: 0, read: 0, inbox: 0, grants: 0, answerOf: 0 };
  const failsNow = (what: keyof Failing): boolean => failing[what] > 0 && failing[what]-- > 0;
  const orThrow =
    <A extends unknown[], T>(what: keyof Failing, read: (...args: A) => Promise<T>) =>
    (...args: A): Promise<T> =>
      failsNow(what) ? Promise.reject(new JournalError(LOCKED)) : read(...args);
  const journal = alteredJournal(inner, {
    append: async (append) => (failsNow('append') ? { ok: false, failure: LOCKED } : inner.append(append)),
    read: orThrow('read', (sessionId, fromSeq) => inner.read(sessionId, fromSeq)),
    inbox: orThrow('inbox', (sessionId) => inner.inbox(sessionId)),
    grants: orThrow('grants', (keys) => inner.grants(keys)),
    answerOf: orThrow('answerOf', (sessionId, callId) => inner.answerOf(sessionId, callId)),
  });
  return { journal, failing };
}

/** Tries follow each other at once, but not in the same tick: a test need not wait, and a busy loop would show. */
export const shortDelay = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
