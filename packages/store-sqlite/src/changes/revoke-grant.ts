import type { GrantRevoked, Revoked } from '@countersign/engine/journal';
import { keepFacts } from '../chain/grant-facts.js';
import type { Db } from '../database/open-database.js';
import { toKey } from '../database/row-key.js';
import type { Change } from '../database/sqlite-store.js';

/** Revoke a grant by a fact of the store itself, with the row that finds the grant, in one transaction. */
export function revokeChange(fact: GrantRevoked): Change<Revoked> {
  const id = toKey(fact.grantId);
  const isRevoked = (db: Db) => db.all('SELECT 1 FROM grants WHERE id = ? AND revoked = 1', id).length > 0;
  return {
    // A grant that was reported as revoked must not be in force after a power failure.
    sync: 'full',
    apply(db) {
      if (db.all('SELECT 1 FROM grants WHERE id = ?', id).length === 0)
        return {
          commit: false,
          value: { ok: false, failure: { code: 'unknown_grant', grantId: fact.grantId } },
        };
      keepFacts(db, [fact]);
      db.run('UPDATE grants SET revoked = 1 WHERE id = ?', id);
      return { commit: true, value: { ok: true } };
    },
    landed: (db, revoked) => revoked.ok && isRevoked(db),
  };
}
