import type { Journal, SessionInfo } from '@countersign/engine';
import { missingStore, openJournal } from '../compose/compose.js';
import { CommandFailure, usage } from '../io/failure-text.js';
import type { Io } from '../io/io.js';
import { readStore } from '../options/options.js';

/** Work with the journal of a store. Looking into one that is not there does not make it: then there is none to work with. */
export async function withStore<T>(
  given: string | undefined,
  io: Io,
  work: (journal: Journal | null) => Promise<T>,
): Promise<T> {
  const store = readStore(given);
  const journal = missingStore(store, io.env) === null ? await openJournal(store, io.env) : null;
  try {
    return await work(journal);
  } finally {
    await journal?.close();
  }
}

/** The same for a session that has to be there. */
export const withSession = <T>(
  given: string | undefined,
  sessionId: string,
  io: Io,
  work: (journal: Journal, session: SessionInfo) => Promise<T>,
): Promise<T> =>
  withStore(given, io, async (journal) => {
    const session = (await journal?.session(sessionId)) ?? null;
    if (journal === null || session === null)
      throw new CommandFailure({ code: 'unknown_session', sessionId });
    return work(journal, session);
  });

/** The one session that a command is about. */
export function oneId(verb: string, positionals: readonly string[]): string {
  const [id, ...more] = positionals;
  if (id === undefined || more.length > 0)
    throw usage(
      `sessions ${verb} needs the id of one session`,
      'countersign sessions list, which shows them',
    );
  return id;
}
