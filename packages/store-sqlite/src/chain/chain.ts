import { integer, text } from '../database/columns.js';
import { type Db, DbError, type Row } from '../database/open-database.js';
import { fromKey } from '../database/row-key.js';
import { NO_HASH, RECORD, readRecord } from './record.js';

export type StoredAppend = { readonly firstSeq: number; readonly body: string };

export type ChainLimits = { readonly appendsMax: number | null; readonly charsMax: number | null };
const WHOLE: ChainLimits = { appendsMax: null, charsMax: null };

/**
 * The appends that hold events from `fromSeq` on, each checked against the one before it; null for an unknown session.
 * With a limit no more of them than that, and those after are not looked at; always one, however long it is.
 */
export function readChain(
  db: Db,
  session: string,
  fromSeq: number,
  { appendsMax, charsMax }: ChainLimits = WHOLE,
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
  const first = start && start['first'] !== null ? integer(start, 'first') : 0;
  const appends: StoredAppend[] = [];
  let next = first;
  let hash = hashBefore(db, session, first);
  let chars = 0;

  for (const row of rowsFrom(db, session, first, { appendsMax, charsMax })) {
    const { firstSeq, lastSeq, body, isWhole, ...record } = readRecord(row, session, hash);
    if (firstSeq !== next) throw broken(session, `the records ${next} to ${firstSeq - 1} are missing`);
    if (!isWhole) throw altered(session, firstSeq, lastSeq);
    if (body === null) throw removed(session, firstSeq, lastSeq);
    appends.push({ firstSeq, body });
    next = lastSeq + 1;
    hash = record.hash;
    chars += body.length;
    if (charsMax !== null && chars >= charsMax) return appends;
  }
  if (appends.length === appendsMax) return appends;
  if (next !== seq) throw broken(session, `the records from ${next} on are missing (it should have ${seq})`);
  if (hash !== text(head, 'head_hash'))
    throw broken(session, `its last record, ${seq - 1}, is not the one that was written last`);
  return appends;
}

/** With a limit of characters one at a time: the next one may be longer than all before it. */
function* rowsFrom(
  db: Db,
  session: string,
  firstSeq: number,
  { appendsMax, charsMax }: ChainLimits,
): Generator<Row> {
  if (charsMax === null) return yield* db.all(FROM, session, firstSeq, appendsMax ?? NO_LIMIT);
  let next = firstSeq;
  for (let count = 0; count !== appendsMax; count++) {
    const [row] = db.all(FROM, session, next, 1);
    if (!row) return;
    next = integer(row, 'last_seq') + 1;
    yield row;
  }
}

/** The hash of the record before this one. */
export function hashBefore(db: Db, session: string, firstSeq: number): string {
  const [before] = db.all(BEFORE, session, firstSeq);
  return before ? text(before, 'hash') : NO_HASH;
}

const BEFORE = 'SELECT hash FROM journal WHERE session = ? AND first_seq < ? ORDER BY first_seq DESC LIMIT 1';
const FROM = `SELECT ${RECORD} FROM journal WHERE session = ? AND first_seq >= ? ORDER BY first_seq LIMIT ?`;
const NO_LIMIT = -1;

export const altered = (session: string, firstSeq: number, lastSeq: number) =>
  broken(session, `the records ${firstSeq} to ${lastSeq} were altered`);

/** The chain is intact, but what is decided or shown must not rest on facts that are not there. */
export const removed = (session: string, firstSeq: number, lastSeq: number) =>
  broken(session, `the content of the records ${firstSeq} to ${lastSeq} was removed`);

export function broken(session: string, what: string): DbError {
  // What is kept of deleted sessions has a key that is none of a session.
  const isSession = !/^"[^"]*$/.test(session);
  const name = isSession ? fromKey(session) : session.slice(1);
  return new DbError('corrupt', `in session ${name}, ${what}`, isSession ? name : null);
}
