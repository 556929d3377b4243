import type { Session } from '@countersign/kernel';
import type { Event, Grant } from '@countersign/protocol';

/** The grants in force: as last read from the store, with the changes written since. */
export class GrantBook {
  readonly #grants = new Map<string, Grant>();

  get all(): ReadonlyMap<string, Grant> {
    return this.#grants;
  }

  /** What the store says, instead of what was here. */
  replace(grants: readonly Grant[]): void {
    this.#grants.clear();
    for (const grant of grants) this.#grants.set(grant.id, grant);
  }

  /** The facts are written: the store knows of the grants they added and the uses they took. */
  settle(session: Session, events: readonly Event[]): void {
    const { added, claims } = session;
    for (const grant of added) this.#grants.set(grant.id, grant);
    for (const id of claims) {
      const grant = this.#grants.get(id);
      if (grant && grant.uses !== null) this.#grants.set(id, { ...grant, uses: grant.uses - 1 });
    }
    for (const event of events) if (event.type === 'grant.revoked') this.#grants.delete(event.grantId);
    added.length = 0;
    claims.length = 0;
  }
}
