import { hash as digest } from 'node:crypto';
import { integer, text } from '../database/columns.js';
import { type Db, DbError, type Row } from '../database/open-database.js';
import { fromKey } from '../database/row-key.js';

/** The hash before the first row of a session. */
export const NO_HASH = '';

/** What ties a row to the one before it. Neither a key nor a hash holds a line break, so no two rows read the same. */
export const linkHash = (previous: string, session: string, firstSeq: number, body: string): string =>
  digest('sha256', `${previous}\n${session}\n${firstSeq}\n${body}`);

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
  const firstSeq = start && start['first'] !== null ? integer(start, 'first') : 0;
  const [before] = db.all(BEFORE, session, firstSeq);
  const appends: StoredAppend[] = [];
  let next = firstSeq;
  let hash = before ? text(before, 'hash') : NO_HASH;
  let chars = 0;

  for (const row of rowsFrom(db, session, firstSeq, { appendsMax, charsMax })) {
    const first = integer(row, 'first_seq');
    const last = integer(row, 'last_seq');
    const body = text(row, 'body');
    if (first !== next) throw broken(session, `the records ${next} to ${first - 1} are missing`);
    hash = linkHash(hash, session, first, body);
    if (hash !== text(row, 'hash')) throw broken(session, `the records ${first} to ${last} were altered`);
    appends.push({ firstSeq: first, body });
    next = last + 1;
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

const BEFORE = 'SELECT hash FROM journal WHERE session = ? AND first_seq < ? ORDER BY first_seq DESC LIMIT 1';
const FROM =
  'SELECT first_seq, last_seq, body, hash FROM journal WHERE session = ? AND first_seq >= ? ORDER BY first_seq LIMIT ?';
const NO_LIMIT = -1;

const broken = (session: string, what: string) =>
  new DbError('corrupt', `in session ${fromKey(session)}, ${what}`);
