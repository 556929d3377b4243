import { integer, text } from '../database/columns.js';
import type { Db } from '../database/open-database.js';
import { broken } from './chain.js';

/**
 * Whether every session has all of its records, by their numbers and the hash of the last one. What is in them is not
 * looked at, so that it costs little for any number of sessions; it still detects that a record was removed.
 */
export class WholeSessions {
  /** The state of the file, as far as others changed it, that was found whole. */
  #foundAt: number | null = null;

  /** Throws by the name of a session that lacks a record. */
  expect(db: Db): void {
    const [state] = db.all('PRAGMA data_version');
    const version = state ? integer(state, 'data_version') : null;
    if (version !== null && version === this.#foundAt) return;
    const [lacking] = db.all(LACKING);
    if (lacking) throw broken(text(lacking, 'id'), 'records are missing, perhaps one that revokes a grant');
    const [emptied] = db.all(EMPTIED);
    if (emptied)
      throw broken(
        text(emptied, 'session'),
        'the content of records was removed, perhaps of one that revokes a grant',
      );
    this.#foundAt = version;
  }
}

/** An index of its own finds these without reading a body. */
const EMPTIED = `SELECT session FROM journal INDEXED BY journal_removed WHERE body = '' LIMIT 1`;

const LACKING = `
SELECT s.id FROM sessions s LEFT JOIN (
  SELECT session, min(first_seq) AS first, max(first_seq) AS newest, max(last_seq) AS last,
    sum(last_seq - first_seq + 1) AS total
  FROM journal GROUP BY session
) j ON j.session = s.id
WHERE s.seq > 0 AND (
  j.session IS NULL OR j.first <> 0 OR j.last <> s.seq - 1 OR j.total <> s.seq
  OR (SELECT hash FROM journal WHERE session = s.id AND first_seq = j.newest) <> s.head_hash
) LIMIT 1`;
