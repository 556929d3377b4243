import { sha256 } from '../hash.js';
import { integer, text } from './columns.js';
import { type Db, DbError } from './open-database.js';
import { fromKey } from './row-key.js';

/** The hash before the first row of a session. */
export const NO_HASH = '';

/** What ties a row to the one before it. Neither a key nor a hash holds a line break, so no two rows read the same. */
export const linkHash = (previous: string, session: string, firstSeq: number, body: string): string =>
  sha256(`${previous}\n${session}\n${firstSeq}\n${body}`);

export type StoredAppend = { readonly firstSeq: number; readonly body: string };

/**
 * The appends that hold events from `fromSeq` on, each checked against the one before it; null for an unknown session.
 * With a limit no more of them than that, and those after are not looked at.
 */
export function readChain(
  db: Db,
  session: string,
  fromSeq: number,
  appendsMax: number | null = null,
): readonly StoredAppend[] | null {
  const [head] = db.all('SELECT seq, head_hash FROM sessions WHERE id = ?', session);
  if (!head) return null;
  const seq = integer(head, 'seq');
  if (fromSeq >= seq) return [];

  const [start] = db.all(
    'SELECT max(first_seq) AS first FROM journal WHERE session = ? AND first_seq <= ?',
    session,
    fromSeq,
  );
  const firstSeq = start && start['first'] !== null ? integer(start, 'first') : 0;
  const [before] = db.all(BEFORE, session, firstSeq);
  const appends: StoredAppend[] = [];
  let next = firstSeq;
  let hash = before ? text(before, 'hash') : NO_HASH;

  for (const row of db.all(FROM, session, firstSeq, appendsMax ?? NO_LIMIT)) {
    const first = integer(row, 'first_seq');
    const last = integer(row, 'last_seq');
    const body = text(row, 'body');
    if (first !== next) throw broken(session, `the records ${next} to ${first - 1} are missing`);
    hash = linkHash(hash, session, first, body);
    if (hash !== text(row, 'hash')) throw broken(session, `the records ${first} to ${last} were altered`);
    appends.push({ firstSeq: first, body });
    next = last + 1;
  }
  if (appends.length === appendsMax) return appends;
  if (next !== seq) throw broken(session, `the records from ${next} on are missing (it should have ${seq})`);
  if (hash !== text(head, 'head_hash'))
    throw broken(session, `its last record, ${seq - 1}, is not the one that was written last`);
  return appends;
}

const BEFORE = 'SELECT hash FROM journal WHERE session = ? AND first_seq < ? ORDER BY first_seq DESC LIMIT 1';
const FROM =
  'SELECT first_seq, last_seq, body, hash FROM journal WHERE session = ? AND first_seq >= ? ORDER BY first_seq LIMIT ?';
const NO_LIMIT = -1;

const broken = (session: string, what: string) =>
  new DbError('corrupt', `in session ${fromKey(session)}, ${what}`);
