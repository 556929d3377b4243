import type { Append, AppendFailure } from '@countersign/engine/journal';
import type { ApprovalMode, Event } from '@countersign/protocol';
import { parsedJson } from '../chain/checked-append.js';
import { grantIn, keepFacts } from '../chain/grant-facts.js';
import { insertRecord, linkHash, NO_HASH, seal } from '../chain/record.js';
import { integer, text } from '../database/columns.js';
import { type Db, DbError } from '../database/open-database.js';
import { toKey } from '../database/row-key.js';
import type { Change } from '../database/sqlite-store.js';
import { readSender } from './inbox-sender.js';
import { addGrants, toViewRows, writeViews } from './view-rows.js';

export type AppendResult =
  | { readonly ok: true; readonly hash: string }
  | { readonly ok: false; readonly failure: AppendFailure };

/**
 * An append as one transaction. Everything is spelled out and hashed
 * beforehand, so that the lock is held only for writing. `headHash` gives the
 * hash that the append follows, if this process knows it.
 */
export function appendChange(append: Append, headHash: () => string | null): Change<AppendResult> {
  const { sessionId, expectedSeq, token, events } = append;
  const session = toKey(sessionId);
  const seq = expectedSeq + events.length;
  const record =
    events.length > 0 ? { firstSeq: expectedSeq, lastSeq: seq - 1, ...seal(JSON.stringify(events)) } : null;
  const { workspace, mode } = settingsIn(events);
  const turns = turnsOpened(events);
  const views = toViewRows(append.views);
  const unstated = unstatedGrants(append);
  const consumed = append.consumed.map(({ inboxId, ack }) => ({ inboxId, ack: JSON.stringify(ack) }));
  let previous: string | null = null;
  let hash = '';

  const follow = (head: string) => {
    if (head === previous) return;
    previous = head;
    hash = record === null ? head : linkHash(head, session, record);
  };
  const refuse = (failure: AppendFailure) => ({ commit: false, value: { ok: false, failure } }) as const;

  return {
    sync: append.sync,
    prepare() {
      const head = headHash();
      if (head !== null) follow(head);
    },
    apply(db) {
      if (previous === null) follow(headOf(db, session));
      const moved = db.run(
        MOVE,
        seq,
        hash,
        Date.now(),
        workspace,
        mode,
        turns,
        session,
        token,
        expectedSeq,
        previous,
      );
      if (moved.changes === 0) return refuse(whyNotMoved(db, append, session));
      if (record !== null) insertRecord(db, session, record, hash);

      addGrants(db, views);
      keepFacts(db, unstated);
      const grantIds = takeClaims(db, append.claims);
      if (grantIds.length > 0) return refuse({ code: 'claim_lost', grantIds });
      writeViews(db, session, views);

      const gone = consumed.filter(
        ({ inboxId, ack }) => !isAwaited(db, inboxId) || db.run(CONSUME, ack, inboxId, session).changes === 0,
      );
      if (gone.length > 0)
        return refuse({ code: 'command_withdrawn', inboxIds: gone.map(({ inboxId }) => inboxId) });
      return { commit: true, value: { ok: true, hash } };
    },
    landed(db) {
      const [row] = db.all('SELECT seq, head_hash FROM sessions WHERE id = ?', session);
      if (!row || integer(row, 'seq') !== seq || text(row, 'head_hash') !== hash) return false;
      // Without events the session has not moved; the consumed commands show whether it was written.
      return consumed.every(({ inboxId, ack }) => db.all(ACK, inboxId)[0]?.['ack'] === ack);
    },
  };
}

const MOVE = `
UPDATE sessions
SET seq = ?, head_hash = ?, updated_at = ?, workspace = coalesce(?, workspace), mode = coalesce(?, mode),
  open_turns = open_turns + ?
WHERE id = ? AND owner_token = ? AND owner_pid IS NOT NULL AND seq = ? AND head_hash = ?`;
const ACK = 'SELECT ack FROM inbox WHERE id = ?';
const WAITING = 'SELECT command FROM inbox WHERE id = ? AND ack IS NULL';
const CONSUME = 'UPDATE inbox SET ack = ? WHERE id = ? AND session = ? AND ack IS NULL';

/** Whether the sender still waits for the result: checked in the transaction that decides the command. */
function isAwaited(db: Db, inboxId: number): boolean {
  const [row] = db.all(WAITING, inboxId);
  return row !== undefined && readSender(parsedJson(text(row, 'command'))).isAwaited;
}

function headOf(db: Db, session: string): string {
  const [row] = db.all('SELECT head_hash FROM sessions WHERE id = ?', session);
  return row ? text(row, 'head_hash') : NO_HASH;
}

function whyNotMoved(db: Db, { sessionId, token, expectedSeq }: Append, session: string): AppendFailure {
  const [row] = db.all('SELECT seq, owner_token, owner_pid FROM sessions WHERE id = ?', session);
  if (!row || row['owner_pid'] === null || integer(row, 'owner_token') !== token)
    return { code: 'owner_lost', sessionId };
  const found = integer(row, 'seq');
  if (found !== expectedSeq) return { code: 'another_writer', sessionId, expected: expectedSeq, found };
  throw new DbError(
    'corrupt',
    `in session ${sessionId}, the hash of the last record (${found - 1}) was altered`,
    sessionId,
  );
}

/** Take one use per claim. Returns the grants that have too few left or are revoked; nothing is kept then. */
function takeClaims(db: Db, claims: readonly string[]): readonly string[] {
  const uses = new Map<string, number>();
  for (const id of claims) uses.set(id, (uses.get(id) ?? 0) + 1);
  return [...uses]
    .filter(([id, count]) => db.run(CLAIM, count, toKey(id), count).changes === 0)
    .map(([id]) => id);
}

// A grant without a limit has nothing to take from, but it must still be in force.
const CLAIM =
  'UPDATE grants SET uses = uses - ? WHERE id = ? AND revoked = 0 AND (uses IS NULL OR uses >= ?)';

/** Changes of grants that no event of the append states: they are facts, too, and are stored as such. */
function unstatedGrants({ views, events }: Append): readonly Event[] {
  if (!views.some(({ type }) => type === 'grant.added' || type === 'grant.revoked')) return [];
  const stated = new Set(events.map((event) => `${event.type} ${grantIn(event) ?? ''}`));
  return views.flatMap((change): readonly Event[] => {
    switch (change.type) {
      case 'grant.added': {
        const { grant } = change;
        return stated.has(`grant.added ${grant.id}`) ? [] : [{ type: 'grant.added', grant, callId: '' }];
      }
      case 'grant.revoked': {
        const { grantId } = change;
        const isStated = stated.has(`grant.revoked ${grantId}`);
        return isStated ? [] : [{ type: 'grant.revoked', grantId, by: '', at: Date.now() }];
      }
      default:
        return [];
    }
  });
}

/** The columns of the list of sessions, from the two events that set them. */
function settingsIn(events: readonly Event[]): {
  readonly workspace: string | null;
  readonly mode: ApprovalMode | null;
} {
  let workspace: string | null = null;
  let mode: ApprovalMode | null = null;
  for (const event of events) {
    if (event.type === 'session.opened') workspace = toKey(event.workspace);
    if (event.type === 'session.opened' || event.type === 'mode.changed') mode = event.mode;
  }
  return { workspace, mode };
}

/** By how many the turns that are open become more, or fewer. */
const turnsOpened = (events: readonly Event[]): number =>
  events.filter(({ type }) => type === 'turn.started').length -
  events.filter(({ type }) => type === 'turn.ended').length;
