import { visibleLine } from '@countersign/display';
import type { Journal, SessionInfo } from '@countersign/engine';
import { EXIT, type ExitCode } from '../io/exit-codes.js';
import { CommandFailure, usage } from '../io/failure-text.js';
import { type Io, say } from '../io/io.js';
import { readStore } from '../options/options.js';
import { missingStore, openJournal, storePath } from './compose.js';

/** 'read': a store that the user may only read is enough. */
type Access = 'read' | 'write';

/** Works with the journal of a store; null if the store does not exist, since reading must not create one. */
export async function withStore<T>(
  given: string | undefined,
  io: Pick<Io, 'env' | 'stderr'>,
  access: Access,
  work: (journal: Journal | null) => Promise<T>,
): Promise<T> {
  const store = readStore(given);
  const place = visibleLine(storePath(store, io.env));
  const sayReadOnly = () =>
    say(
      io,
      `countersign: ${place} is read-only for this user. This is its content as of now; what a process that works on it writes later is not shown.`,
    );
  const onReadOnly = access === 'read' ? sayReadOnly : undefined;
  const journal = missingStore(store, io.env) === null ? await openJournal(store, io.env, onReadOnly) : null;
  try {
    return await work(journal);
  } finally {
    await journal?.close();
  }
}

/** The same for a command that lists: if the store does not exist, it prints that there is nothing. */
export const listFromStore = (
  given: string | undefined,
  nothing: string,
  io: Io,
  list: (journal: Journal) => Promise<ExitCode | void>,
): Promise<ExitCode> =>
  withStore(given, io, 'read', async (journal) => {
    const missing = missingStore(readStore(given), io.env) ?? '';
    if (journal) return (await list(journal)) ?? EXIT.ok;
    say(io, `${nothing}: there is no store at ${visibleLine(missing)} yet.`);
    return EXIT.ok;
  });

/** The same for a session that must exist. */
export const withSession = <T>(
  given: string | undefined,
  sessionId: string,
  io: Io,
  access: Access,
  work: (journal: Journal, session: SessionInfo) => Promise<T>,
): Promise<T> =>
  withStore(given, io, access, async (journal) => {
    const session = (await journal?.session(sessionId)) ?? null;
    if (journal === null || session === null)
      throw new CommandFailure({ code: 'unknown_session', sessionId });
    return work(journal, session);
  });

/** The id of the one session that a command takes. */
export function oneId(command: string, positionals: readonly string[]): string {
  const [id, ...more] = positionals;
  if (id === undefined || more.length > 0)
    throw usage(`${command} needs the id of one session`, 'countersign sessions list, which shows them');
  return id;
}
