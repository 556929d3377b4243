import { integer, text } from '../database/columns.js';
import { type Db, DbError } from '../database/open-database.js';
import { fromKey } from '../database/row-key.js';
import { linkHash, NO_HASH } from './chain.js';

/**
 * One append, checked without reading the rest of its session: it follows the
 * one before it, and the one after it, or the head of the session, follows it.
 * A record that was altered together with its own hash does not pass either.
 */
export function checkedAppend(db: Db, session: string, firstSeq: number): string {
  const [row] = db.all(ROW, session, firstSeq);
  if (!row) throw new DbError('corrupt', `in session ${nameOf(session)}, the record ${firstSeq} is missing`);
  const body = text(row, 'body');
  const hash = text(row, 'hash');
  const [before] = db.all(BEFORE, session, firstSeq);
  const last = integer(row, 'last_seq');
  if (linkHash(before ? text(before, 'hash') : NO_HASH, session, firstSeq, body) !== hash)
    throw altered(session, `the records ${firstSeq} to ${last} were altered`);
  expectFollowed(db, session, { firstSeq, last, hash });
  return body;
}

type Checked = { readonly firstSeq: number; readonly last: number; readonly hash: string };

function expectFollowed(db: Db, session: string, { firstSeq, last, hash }: Checked): void {
  const [after] = db.all(AFTER, session, firstSeq);
  if (after) {
    const first = integer(after, 'first_seq');
    if (linkHash(hash, session, first, text(after, 'body')) === text(after, 'hash')) return;
    // Either this one together with its own hash, or the one after it: nothing tells which.
    const through = integer(after, 'last_seq');
    throw altered(
      session,
      `the records ${first} to ${through}, or those before them from ${firstSeq} on, were altered`,
    );
  }
  const [head] = db.all('SELECT head_hash FROM sessions WHERE id = ?', session);
  // What is kept of deleted sessions has no head.
  if (head !== undefined && text(head, 'head_hash') !== hash)
    throw altered(session, `the records ${firstSeq} to ${last} were altered`);
}

const altered = (session: string, what: string) =>
  new DbError('corrupt', `in session ${nameOf(session)}, ${what}`);

/** The latest append of a session that holds this text, or null. What it holds is for `checkedAppend` to vouch for. */
export function latestWith(db: Db, session: string, wanted: string): number | null {
  const [row] = db.all(LATEST, session, wanted);
  return row ? integer(row, 'first_seq') : null;
}

/** The list that an append holds. */
export function listIn(body: string): readonly unknown[] {
  const value: unknown = JSON.parse(body);
  return Array.isArray(value) ? value : [];
}

const nameOf = (session: string): string => (/^"[^"]*$/.test(session) ? session.slice(1) : fromKey(session));

const ROW = 'SELECT last_seq, body, hash FROM journal WHERE session = ? AND first_seq = ?';
const BEFORE = 'SELECT hash FROM journal WHERE session = ? AND first_seq < ? ORDER BY first_seq DESC LIMIT 1';
const AFTER =
  'SELECT first_seq, last_seq, body, hash FROM journal WHERE session = ? AND first_seq > ? ORDER BY first_seq LIMIT 1';
const LATEST =
  'SELECT first_seq FROM journal WHERE session = ? AND instr(body, ?) > 0 ORDER BY first_seq DESC LIMIT 1';
