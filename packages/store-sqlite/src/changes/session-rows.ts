import {
  FRONT_ENDS,
  type FrontEnd,
  type LastOwner,
  type Owner,
  type SessionInfo,
} from '@countersign/engine/journal';
import { APPROVAL_MODES, type FailureOf } from '@countersign/protocol';
import { NO_HASH } from '../chain/record.js';
import { integer, integerOrNull, text, textOrNull } from '../database/columns.js';
import { type Db, DbError, type Row, UnreadableText } from '../database/open-database.js';
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
  serverId: string | null = null,
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
      const self = [pid, started, boot, frontEnd, serverId];
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

/** Whether a model is at work for the owner with this token. */
export function noteModelChange(sessionId: string, token: number, isAtWork: boolean): Change<void> {
  return {
    sync: 'normal',
    apply(db) {
      db.run(NOTE_MODEL, isAtWork ? 1 : null, toKey(sessionId), token);
      return { commit: true, value: undefined };
    },
    // Made twice it is the same.
    landed: () => false,
  };
}

/** For a list, which must not end at a damaged row: what can be read of it, and what is wrong. */
export function sessionInfoOrDamage(row: Row): SessionInfo {
  try {
    return sessionInfo(row);
  } catch (error) {
    if (!(error instanceof DbError) || error.trouble !== 'corrupt') throw error;
    const number = (column: string) => (typeof row[column] === 'number' ? row[column] : 0);
    return {
      sessionId: shown(row['id']),
      workspace: shown(row['workspace']),
      mode: 'manual',
      createdAt: number('created_at'),
      updatedAt: number('updated_at'),
      seq: number('seq'),
      owner: null,
      damaged: error.message,
    };
  }
}

function shown(value: Row[string] | undefined): string {
  if (value instanceof UnreadableText) return value.shown;
  try {
    return fromKey(String(value));
  } catch {
    return String(value);
  }
}

export function sessionInfo(row: Row): SessionInfo {
  const stated = text(row, 'mode');
  const mode = APPROVAL_MODES.find((known) => known === stated);
  if (!mode) throw new DbError('corrupt', `a session has the mode ${stated}, which does not exist`);
  const owner = livingOwner(row);
  const openTurns = integerOrNull(row, 'open_turns');
  return {
    sessionId: fromKey(text(row, 'id')),
    workspace: fromKey(text(row, 'workspace')),
    mode,
    createdAt: integer(row, 'created_at'),
    updatedAt: integer(row, 'updated_at'),
    seq: integer(row, 'seq'),
    owner,
    ...(owner === null && { lastOwner: lastOwner(row) }),
    ...(owner !== null && row['owner_model'] === 1 && { modelAtWork: true as const }),
    ...(openTurns !== null && { openTurns }),
  };
}

/** Null where the session never had an owner that said what it is. */
function lastOwner(row: Row): LastOwner | null {
  const frontEnd = frontEndIn(row);
  const serverId = textOrNull(row, 'owner_server');
  const ended = row['owner_pid'] === null ? 'released' : 'died';
  return frontEnd === null && ended === 'released'
    ? null
    : {
        frontEnd,
        serverId,
        ended,
        modelAtWork: row['owner_model'] === 1,
      };
}

/** A newer release may know more of them. */
const frontEndIn = (row: Row): FrontEnd | null =>
  FRONT_ENDS.find((known) => known === row['owner_front_end']) ?? null;

/** The owner of the session of this row; null if there is none, or its process has ended. */
export function livingOwner(row: Row): Owner | null {
  const pid = integerOrNull(row, 'owner_pid');
  if (pid === null) return null;
  const process = { pid, started: text(row, 'owner_started'), boot: text(row, 'owner_boot') };
  if (!isAlive(process)) return null;
  return ownerOf(process, frontEndIn(row));
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

const NOTE_MODEL =
  'UPDATE sessions SET owner_model = ? WHERE id = ? AND owner_token = ? AND owner_pid IS NOT NULL';

const TAKE =
  'UPDATE sessions SET owner_token = ?, owner_pid = ?, owner_started = ?, owner_boot = ?, owner_front_end = ?, owner_server = ?, owner_model = NULL WHERE id = ?';

const MAKE = `
INSERT INTO sessions (id, workspace, mode, created_at, updated_at, seq, head_hash, owner_token, owner_pid, owner_started, owner_boot, owner_front_end, owner_server, open_turns)
VALUES (?, '', 'manual', ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, 0)`;

const RELEASE = `
UPDATE sessions SET owner_pid = NULL, owner_started = NULL, owner_boot = NULL
WHERE id = ? AND owner_token = ?`;
