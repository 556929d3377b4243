import { FRONT_ENDS, type FrontEnd, type Owner, type SessionInfo } from '@countersign/engine/journal';
import { APPROVAL_MODES, type FailureOf } from '@countersign/protocol';
import { NO_HASH } from '../chain/record.js';
import { integer, integerOrNull, text } from '../database/columns.js';
import { type Db, DbError, type Row } from '../database/open-database.js';
import { fromKey, toKey } from '../database/row-key.js';
import type { Change } from '../database/sqlite-store.js';
import { isAlive, type ProcessIdentity, thisProcess } from './process-identity.js';

export type Taken =
  | { readonly ok: true; readonly token: number; readonly seq: number; readonly headHash: string }
  | { readonly ok: false; readonly failure: FailureOf<'session_owned' | 'unknown_session'> };

/** Take a session that is new, free, or left behind by a dead process. Each owner gets a higher token than all before it. */
export function ownChange(
  sessionId: string,
  frontEnd: FrontEnd | null = null,
  expected: 'new' | 'known' = 'new',
): Change<Taken> {
  const session = toKey(sessionId);
  return {
    // Nothing to sync: after a power failure every owner is dead anyway.
    sync: 'normal',
    apply(db) {
      const [row] = db.all('SELECT * FROM sessions WHERE id = ?', session);
      if (!row && expected === 'known')
        return { commit: false, value: { ok: false, failure: { code: 'unknown_session', sessionId } } };
      const owner = row ? livingOwner(row) : null;
      if (owner) {
        const failure = { code: 'session_owned', sessionId, ...owner.shown } as const;
        return { commit: false, value: { ok: false, failure } };
      }

      const { pid, started, boot } = thisProcess();
      const self = [pid, started, boot, frontEnd];
      const token = row ? integer(row, 'owner_token') + 1 : 1;
      if (row) db.run(TAKE, token, ...self, session);
      else db.run(MAKE, session, Date.now(), Date.now(), NO_HASH, token, ...self);
      const seq = row ? integer(row, 'seq') : 0;
      const headHash = row ? text(row, 'head_hash') : NO_HASH;
      return { commit: true, value: { ok: true, token, seq, headHash } };
    },
    landed: (db, taken) => taken.ok && isOwnedBy(db, session, taken.token),
  };
}

/** Give sessions back that are still held under these tokens. */
export function releaseChange(
  held: readonly { readonly sessionId: string; readonly token: number }[],
): Change<void> {
  return {
    sync: 'normal',
    apply(db) {
      for (const { sessionId, token } of held) db.run(RELEASE, toKey(sessionId), token);
      return { commit: true, value: undefined };
    },
    landed: (db) => held.every(({ sessionId, token }) => !isOwnedBy(db, toKey(sessionId), token)),
  };
}

export function sessionInfo(row: Row): SessionInfo {
  const mode = APPROVAL_MODES.find((known) => known === row['mode']);
  if (!mode) throw new DbError('corrupt', `a session has the mode ${row['mode']}, which does not exist`);
  return {
    sessionId: fromKey(text(row, 'id')),
    workspace: fromKey(text(row, 'workspace')),
    mode,
    createdAt: integer(row, 'created_at'),
    updatedAt: integer(row, 'updated_at'),
    seq: integer(row, 'seq'),
    owner: livingOwner(row),
  };
}

/** The owner of the session of this row; null if there is none, or its process has ended. */
export function livingOwner(row: Row): Owner | null {
  const pid = integerOrNull(row, 'owner_pid');
  if (pid === null) return null;
  const process = { pid, started: text(row, 'owner_started'), boot: text(row, 'owner_boot') };
  if (!isAlive(process)) return null;
  // A newer release may know more of them.
  return ownerOf(process, FRONT_ENDS.find((known) => known === row['owner_front_end']) ?? null);
}

/** A process as the owner of a session: code outside of this package does not know that it is a process. */
export const ownerOf = ({ pid, started, boot }: ProcessIdentity, frontEnd: Owner['frontEnd']): Owner => ({
  id: `${boot} ${started} ${pid}`,
  frontEnd,
  shown: { pid },
});

export function isOwnedBy(db: Db, session: string, token: number): boolean {
  const [row] = db.all('SELECT owner_token, owner_pid FROM sessions WHERE id = ?', session);
  return row !== undefined && row['owner_pid'] !== null && integer(row, 'owner_token') === token;
}

const TAKE =
  'UPDATE sessions SET owner_token = ?, owner_pid = ?, owner_started = ?, owner_boot = ?, owner_front_end = ? WHERE id = ?';

const MAKE = `
INSERT INTO sessions (id, workspace, mode, created_at, updated_at, seq, head_hash, owner_token, owner_pid, owner_started, owner_boot, owner_front_end)
VALUES (?, '', 'manual', ?, ?, 0, ?, ?, ?, ?, ?, ?)`;

const RELEASE = `
UPDATE sessions SET owner_pid = NULL, owner_started = NULL, owner_boot = NULL
WHERE id = ? AND owner_token = ?`;
