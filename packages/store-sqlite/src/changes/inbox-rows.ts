import type { Ack, Command } from '@countersign/protocol';
import { toKey } from '../database/row-key.js';
import type { Change } from '../database/sqlite-store.js';
import { withSender } from './inbox-sender.js';

/** Outcomes of posted commands that are kept for late readers; a sender reads within seconds. */
const OUTCOMES_KEPT = 10_000;

/** Leave a command for the owner of a session; null if there is no such session. */
export function postChange(sessionId: string, command: Command): Change<number | null> {
  const session = toKey(sessionId);
  const body = withSender(command);
  return {
    sync: 'normal',
    apply(db) {
      const { changes, lastId } = db.run(POST, body, session);
      if (changes === 0) return { commit: false, value: null };
      db.run('DELETE FROM inbox WHERE id < ? AND ack IS NOT NULL', lastId - OUTCOMES_KEPT);
      return { commit: true, value: lastId };
    },
    landed: (db, id) => db.all(POSTED, id, session, body).length > 0,
  };
}

/** Take a command back; false if it was consumed already. */
export function withdrawChange(inboxId: number): Change<boolean> {
  return {
    sync: 'normal',
    apply(db) {
      const withdrawn = db.run('DELETE FROM inbox WHERE id = ? AND ack IS NULL', inboxId).changes > 0;
      return { commit: withdrawn, value: withdrawn };
    },
    landed: (db) => db.all('SELECT 1 FROM inbox WHERE id = ?', inboxId).length === 0,
  };
}

/** A command that only a newer program knows: refused at once, so that its sender is not left waiting. */
export function refuseChange(inboxId: number): Change<void> {
  const problem =
    'the process that works on this session is of an older version and does not know this command';
  const ack: Ack = { ok: false, failure: { code: 'invalid_request', problem } };
  return {
    sync: 'normal',
    apply(db) {
      db.run('UPDATE inbox SET ack = ? WHERE id = ? AND ack IS NULL', JSON.stringify(ack), inboxId);
      return { commit: true, value: undefined };
    },
    landed: (db) => db.all('SELECT 1 FROM inbox WHERE id = ? AND ack IS NULL', inboxId).length === 0,
  };
}

const POST = 'INSERT INTO inbox (session, command) SELECT id, ? FROM sessions WHERE id = ?';
const POSTED = 'SELECT 1 FROM inbox WHERE id = ? AND session = ? AND command = ?';
