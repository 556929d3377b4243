import type { FailureOf } from '@countersign/protocol';
import { JournalError } from './journal.js';

/** By session: what is damaged in it. */
export type DamagedSessions = ReadonlyMap<string, FailureOf<'journal_corrupt'>>;

/**
 * Rows of several sessions: read at once, or, where that finds damage, one session after the other, so that a damaged
 * session is named and keeps none of the others from being read.
 */
export async function readEach<T>(
  sessionIds: () => Promise<readonly string[]>,
  readAll: () => Promise<readonly T[]>,
  readOne: (sessionId: string) => Promise<readonly T[]>,
): Promise<{ readonly rows: readonly T[]; readonly damaged: DamagedSessions }> {
  const all = await orDamage(readAll);
  if (all.ok) return { rows: all.value, damaged: new Map() };
  const rows: T[] = [];
  const damaged = new Map<string, FailureOf<'journal_corrupt'>>();
  for (const sessionId of await sessionIds()) {
    const read = await orDamage(() => readOne(sessionId));
    if (read.ok) rows.push(...read.value);
    else damaged.set(sessionId, read.failure);
  }
  // What is damaged belongs to none of these sessions: nothing says that the rest is complete.
  if (damaged.size === 0) throw new JournalError(all.failure);
  return { rows, damaged };
}

/** The value, or what is damaged; other troubles of the journal are thrown as before. */
export async function orDamage<T>(
  read: () => Promise<T>,
): Promise<
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: FailureOf<'journal_corrupt'> }
> {
  try {
    return { ok: true, value: await read() };
  } catch (thrown) {
    if (!(thrown instanceof JournalError) || thrown.failure.code !== 'journal_corrupt') throw thrown;
    return { ok: false, failure: thrown.failure };
  }
}
