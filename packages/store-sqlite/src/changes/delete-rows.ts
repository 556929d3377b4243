import type { Deleted, Deletion } from '@countersign/engine/journal';
import { grantFactsOf, grantIn, keepFacts } from '../chain/grant-facts.js';
import { text } from '../database/columns.js';
import type { Db } from '../database/open-database.js';
import { fromKey, toKey } from '../database/row-key.js';
import type { Change } from '../database/sqlite-store.js';
import { livingOwner } from './session-rows.js';

/** Remove a session that no process works on, with every row that is about it. Other sessions have chains of their own. */
export function deleteChange(sessionId: string, deletion: Deletion): Change<Deleted> {
  const session = toKey(sessionId);
  return {
    // A deleted session must not reappear after a power failure.
    sync: 'full',
    apply(db) {
      const [row] = db.all('SELECT * FROM sessions WHERE id = ?', session);
      if (!row)
        return { commit: false, value: { ok: false, failure: { code: 'unknown_session', sessionId } } };
      const owner = livingOwner(row);
      if (owner) {
        const failure = { code: 'session_owned', sessionId, ...owner.shown } as const;
        return { commit: false, value: { ok: false, failure } };
      }
      const facts = grantFactsOf(db, session);
      removeRows(db, session);
      const workspace = fromKey(text(row, 'workspace'));
      const trace = { type: 'session.deleted', sessionId, workspace, ...deletion, at: Date.now() };
      keepFacts(db, [...facts.filter((fact) => isLeft(db, fact)), trace]);
      return { commit: true, value: { ok: true } };
    },
    landed: (db, deleted) =>
      deleted.ok && db.all('SELECT 1 FROM sessions WHERE id = ?', session).length === 0,
  };
}

/** Whether a fact is about a grant that reaches beyond the session; of its uses, whether they are counted. */
function isLeft(db: Db, fact: unknown): boolean {
  const [row] = db.all('SELECT uses FROM grants WHERE id = ?', toKey(grantIn(fact) ?? ''));
  const isUse = typeof fact === 'object' && fact !== null && 'permit' in fact;
  return row !== undefined && (!isUse || row['uses'] !== null);
}

function removeRows(db: Db, session: string): void {
  // Pages that become free are overwritten: what a call was given or found is not left lying in the file.
  db.exec('PRAGMA secure_delete = ON');
  try {
    for (const sql of REMOVALS) db.run(sql, session);
  } finally {
    db.exec('PRAGMA secure_delete = OFF');
  }
}

const REMOVALS = [
  'DELETE FROM journal WHERE session = ?',
  'DELETE FROM inbox WHERE session = ?',
  'DELETE FROM approvals WHERE session = ?',
  'DELETE FROM calls WHERE session = ?',
  "DELETE FROM grants WHERE scope = 'session' AND scope_key = ?",
  'DELETE FROM sessions WHERE id = ?',
];
