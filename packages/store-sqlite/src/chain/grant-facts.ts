import type { Event, EventOf, Grant } from '@countersign/protocol';
import type { ParsedEvent } from '@countersign/protocol/schemas';
import { integer, text } from '../database/columns.js';
import { type Db, DbError, type Row } from '../database/open-database.js';
import { checkedAppend, listIn } from './checked-append.js';
import { insertRecord, linkHash, NO_HASH, seal } from './record.js';
import { WholeSessions } from './whole-sessions.js';

type Parse = (stored: unknown) => ParsedEvent;

/**
 * Facts that belong to no session in the store: about grants of sessions that were deleted, whose grants reach further,
 * about grants that were changed without a session's own fact, and about the deletions. They are a chain like any other,
 * under a key that no session can have: the key of a session begins with a quote only if it also ends with one.
 */
export const KEPT = '"grants';

/**
 * The grants in the facts: made, used, revoked. A row of the view finds a grant; in force it is only if a
 * fact made it, none revoked it, and as many uses are left as facts leave. What a row says beyond that can only narrow it.
 */
export class GrantFacts {
  readonly #added = new Map<string, Grant>();
  readonly #revoked = new Set<string>();
  /** By grant: the digests that were permitted by it. A copy of a session repeats them. */
  readonly #taken = new Map<string, Set<string>>();
  readonly #sessions = new WholeSessions();
  #through: { readonly rowid: number; readonly hash: string } | null = null;

  /** Take in what was written since the last look. */
  refresh(db: Db, parse: Parse): void {
    // If a fact was removed that revoked a grant, the grant would be in force again.
    this.#sessions.expect(db);
    const last = this.#through;
    const [there] = last ? db.all('SELECT hash FROM journal WHERE rowid = ?', last.rowid) : [];
    if (last && there?.['hash'] !== last.hash) this.#forget();
    const [newest] = db.all('SELECT rowid AS id, hash FROM journal ORDER BY rowid DESC LIMIT 1');
    if (!newest) return;
    for (const row of db.all(MENTIONING, this.#through?.rowid ?? 0)) this.#take(db, row, parse);
    this.#through = { rowid: integer(newest, 'id'), hash: text(newest, 'hash') };
  }

  /** The grant as it was made, with the uses that are left of it; null if it is not in force. */
  inForce(id: string): Grant | null {
    const grant = this.#added.get(id);
    if (!grant || this.#revoked.has(id)) return null;
    if (grant.uses === null) return grant;
    const uses = grant.uses - (this.#taken.get(id)?.size ?? 0);
    return uses > 0 ? { ...grant, uses } : null;
  }

  isRevoked(id: string): boolean {
    return this.#revoked.has(id);
  }

  #take(db: Db, row: Row, parse: Parse): void {
    for (const stored of listIn(checkedAppend(db, text(row, 'session'), integer(row, 'first_seq')))) {
      if (grantIn(stored) === null) continue;
      const parsed = parse(stored);
      if (!parsed.ok)
        throw new DbError('corrupt', `an event about a grant cannot be read: ${parsed.problem}`);
      this.#apply(parsed.event);
    }
  }

  #apply(event: Event): void {
    if (event.type === 'grant.revoked') this.#revoked.add(event.grantId);
    // Never a second time: that would bring back what was used or revoked.
    if (event.type === 'grant.added' && !this.#added.has(event.grant.id))
      this.#added.set(event.grant.id, event.grant);
    if (event.type === 'call.granted' && event.permit.by.type === 'grant') {
      const { grantId } = event.permit.by;
      const taken = this.#taken.get(grantId) ?? new Set();
      this.#taken.set(grantId, taken.add(event.permit.digest));
    }
  }

  #forget(): void {
    this.#added.clear();
    this.#revoked.clear();
    this.#taken.clear();
    this.#through = null;
  }
}

/** Keep facts that belong to no session in the store: about grants, and about sessions that were deleted. */
export function keepFacts(db: Db, events: readonly unknown[]): void {
  if (events.length === 0) return;
  const [last] = db.all(
    'SELECT last_seq, hash FROM journal WHERE session = ? ORDER BY first_seq DESC LIMIT 1',
    KEPT,
  );
  const first = last ? integer(last, 'last_seq') + 1 : 0;
  const numbers = { firstSeq: first, lastSeq: first + events.length - 1 };
  const record = { ...numbers, ...seal(JSON.stringify(events)) };
  insertRecord(db, KEPT, record, linkHash(last ? text(last, 'hash') : NO_HASH, KEPT, record));
}

/** The facts of a session about grants, as they are stored; what was altered is not passed on. */
export function grantFactsOf(db: Db, session: string): readonly unknown[] {
  return db.all(MENTIONING_IN, session).flatMap((row) => {
    try {
      return listIn(checkedAppend(db, session, integer(row, 'first_seq'))).filter(
        (stored) => grantIn(stored) !== null,
      );
    } catch (error) {
      if (error instanceof DbError) return [];
      throw error;
    }
  });
}

/** The id of the grant that a stored fact is about; null if it is about none. */
export function grantIn(stored: unknown): string | null {
  if (typeof stored !== 'object' || stored === null || !('type' in stored)) return null;
  switch (stored.type) {
    case 'grant.added':
      return 'grant' in stored ? textIn(stored.grant, 'id') : null;
    case 'grant.revoked':
      return textIn(stored, 'grantId');
    case 'call.granted':
      return 'permit' in stored ? permittedBy(stored.permit) : null;
    default:
      return null;
  }
}

const permittedBy = (permit: unknown): string | null =>
  typeof permit === 'object' && permit !== null && 'by' in permit ? textIn(permit.by, 'grantId') : null;

function textIn(value: unknown, name: string): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const found: unknown = Object.entries(value).find(([key]) => key === name)?.[1];
  return typeof found === 'string' ? found : null;
}

/** The sessions that were deleted, oldest first. */
export function deletionsIn(db: Db, parse: Parse): readonly EventOf<'session.deleted'>[] {
  return db.all(DELETIONS, KEPT).flatMap((row) =>
    listIn(checkedAppend(db, KEPT, integer(row, 'first_seq'))).flatMap((stored) => {
      const parsed = parse(stored);
      return parsed.ok && parsed.event.type === 'session.deleted' ? [parsed.event] : [];
    }),
  );
}

const DELETIONS = `
SELECT first_seq FROM journal WHERE session = ? AND instr(body, '"type":"session.deleted"') > 0 ORDER BY first_seq`;

// Every fact about a grant, and every permit by one, has this in its spelling; what else has it is passed over.
const MENTIONING = `
SELECT session, first_seq FROM journal WHERE rowid > ? AND instr(body, '"type":"grant') > 0 ORDER BY rowid`;
const MENTIONING_IN = `
SELECT first_seq FROM journal WHERE session = ? AND instr(body, '"type":"grant') > 0 ORDER BY first_seq`;
