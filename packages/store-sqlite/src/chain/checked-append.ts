import { integer, text } from '../database/columns.js';
import { type Db, DbError } from '../database/open-database.js';
import { altered, broken, hashBefore, removed } from './chain.js';
import { type FoundRecord, RECORD, readRecord } from './record.js';

/**
 * One append, checked without reading the rest of its session: it follows the
 * one before it, and the one after it, or the head of the session, follows it.
 * A record that was altered together with its own hash does not pass either.
 */
export function checkedAppend(db: Db, session: string, firstSeq: number): string {
  const [row] = db.all(ROW, session, firstSeq);
  if (!row) throw broken(session, `the record ${firstSeq} is missing`);
  const record = readRecord(row, session, hashBefore(db, session, firstSeq));
  if (!record.isWhole) throw altered(session, firstSeq, record.lastSeq);
  expectFollowed(db, session, record);
  if (record.body === null) throw removed(session, firstSeq, record.lastSeq);
  return record.body;
}

function expectFollowed(db: Db, session: string, { firstSeq, lastSeq, hash }: FoundRecord): void {
  const [next] = db.all(AFTER, session, firstSeq);
  if (next) {
    const after = readRecord(next, session, hash);
    if (after.isWhole) return;
    // Either this one together with its own hash, or the one after it: it is not known which.
    throw broken(
      session,
      `the records ${after.firstSeq} to ${after.lastSeq}, or those before them from ${firstSeq} on, were altered`,
    );
  }
  const [head] = db.all('SELECT head_hash FROM sessions WHERE id = ?', session);
  // What is kept of deleted sessions has no head.
  if (head !== undefined && text(head, 'head_hash') !== hash) throw altered(session, firstSeq, lastSeq);
}

/** The latest append of a session that holds this text, or null. What it holds is for `checkedAppend` to vouch for. */
export function latestWith(db: Db, session: string, wanted: string): number | null {
  const [row] = db.all(LATEST, session, wanted);
  return row ? integer(row, 'first_seq') : null;
}

/** The list that an append holds. */
export function listIn(body: string): readonly unknown[] {
  const value = parsedJson(body);
  return Array.isArray(value) ? value : [];
}

/** What is not JSON any more was damaged. */
export function parsedJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new DbError('corrupt', `a record is not JSON: ${body.slice(0, SHOWN_CHARS)}`);
  }
}

/** Enough to find the record by; it may hold anything. */
const SHOWN_CHARS = 60;

const ROW = `SELECT ${RECORD} FROM journal WHERE session = ? AND first_seq = ?`;
const AFTER = `SELECT ${RECORD} FROM journal WHERE session = ? AND first_seq > ? ORDER BY first_seq LIMIT 1`;
const LATEST =
  'SELECT first_seq FROM journal WHERE session = ? AND instr(body, ?) > 0 ORDER BY first_seq DESC LIMIT 1';
