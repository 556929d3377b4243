import type { ViewChange } from '@countersign/engine/journal';
import type { Db } from '../database/open-database.js';
import { toKey } from '../database/row-key.js';

/** The view changes of one append, combined and serialised before the transaction, so that the lock is held only for writing. */
export type ViewRows = {
  readonly calls: string | null;
  readonly asked: string | null;
  readonly answered: string | null;
  readonly gone: string | null;
  readonly added: readonly {
    readonly id: string;
    readonly values: readonly [string, string, number | null, string];
  }[];
  readonly revoked: readonly string[];
};

type Approval =
  | { readonly is: 'waiting'; readonly row: object }
  | { readonly is: 'answered'; readonly answer: object }
  | { readonly is: 'gone' };

export function toViewRows(changes: readonly ViewChange[]): ViewRows {
  const calls: object[] = [];
  const approvals = new Map<string, Approval>();
  const added: ViewRows['added'][number][] = [];
  const revoked: string[] = [];

  for (const change of changes) {
    switch (change.type) {
      case 'approval.asked':
        approvals.set(change.row.callId, { is: 'waiting', row: change.row });
        break;
      case 'approval.answered':
        approvals.set(change.callId, { is: 'answered', answer: change.answer });
        break;
      case 'approval.withdrawn':
        withdraw(approvals, change.callId);
        break;
      case 'call.settled':
        calls.push(change.row);
        withdraw(approvals, change.row.callId);
        break;
      case 'grant.added': {
        const { id, scope, scopeKey, uses } = change.grant;
        added.push({ id: toKey(id), values: [scope, toKey(scopeKey), uses, JSON.stringify(change.grant)] });
        break;
      }
      case 'grant.revoked':
        revoked.push(toKey(change.grantId));
    }
  }
  return { calls: jsonOf(calls), ...approvalRows(approvals), added, revoked };
}

/** An answer stays, also when its call ends. */
function withdraw(approvals: Map<string, Approval>, callId: string): void {
  if (approvals.get(callId)?.is !== 'answered') approvals.set(callId, { is: 'gone' });
}

function approvalRows(
  approvals: ReadonlyMap<string, Approval>,
): Pick<ViewRows, 'asked' | 'answered' | 'gone'> {
  const asked: object[] = [];
  const answered: object[] = [];
  const gone: string[] = [];
  for (const [callId, approval] of approvals) {
    if (approval.is === 'gone') gone.push(toKey(callId));
    else if (approval.is === 'waiting') asked.push({ call: toKey(callId), row: approval.row });
    else answered.push({ call: toKey(callId), answer: approval.answer });
  }
  return { asked: jsonOf(asked), answered: jsonOf(answered), gone: jsonOf(gone) };
}

const jsonOf = (list: readonly unknown[]): string | null => (list.length > 0 ? JSON.stringify(list) : null);

/** Grants of this append count for its own claims, so they come first; revocations come after the claims. */
export function addGrants(db: Db, rows: ViewRows): void {
  for (const { id, values } of rows.added) {
    // Never a second time: that would bring back uses, or a grant that was revoked.
    db.run(
      'INSERT INTO grants (id, scope, scope_key, uses, revoked, body) VALUES (?, ?, ?, ?, 0, ?) ON CONFLICT DO NOTHING',
      id,
      ...values,
    );
  }
}

export function writeViews(db: Db, session: string, rows: ViewRows): void {
  for (const id of rows.revoked) db.run('UPDATE grants SET revoked = 1 WHERE id = ?', id);
  if (rows.calls)
    db.run('INSERT INTO calls (session, body) SELECT ?, value FROM json_each(?)', session, rows.calls);
  if (rows.asked) db.run(ASKED, session, rows.asked);
  if (rows.answered) db.run(ANSWERED, session, rows.answered);
  if (rows.gone) db.run(GONE, session, rows.gone);
}

const ASKED = `
INSERT INTO approvals (session, call, body, answer)
SELECT ?, value ->> 'call', value -> 'row', NULL FROM json_each(?) WHERE true
ON CONFLICT (session, call) DO UPDATE SET body = excluded.body, answer = NULL`;

// What was shown is in the journal; only the answer is read from here.
const ANSWERED = `
INSERT INTO approvals (session, call, body, answer)
SELECT ?, value ->> 'call', NULL, value -> 'answer' FROM json_each(?) WHERE true
ON CONFLICT (session, call) DO UPDATE SET body = NULL, answer = excluded.answer`;

// The plus keeps SQLite from looking up every ended call: few calls wait, most never did.
const GONE = `
DELETE FROM approvals INDEXED BY approvals_waiting
WHERE session = ? AND answer IS NULL AND +call IN (SELECT value FROM json_each(?))`;
