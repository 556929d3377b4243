import type { Journal } from '@countersign/engine';
import type { CommandIdentity } from '@countersign/protocol';
import { Refusal } from '../contract/problems.js';

/** The command that made a session is among its first events. */
const FIRST_EVENTS = 10;

/** Sessions that keyed requests make: the same request, sent again, finds the session that the first one made. */
export class MadeSessions {
  readonly #journal: Journal;
  readonly #underWay = new Map<string, Promise<void>>();

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /**
   * Makes a session unless this command made it before. Throws a `Refusal` if another command with the same key did, or if
   * the session was deleted: a request that is sent again has no second effect.
   */
  async once(sessionId: string, identity: CommandIdentity | null, make: () => Promise<void>): Promise<void> {
    if (!identity) return make();
    while (this.#underWay.has(sessionId)) await this.#underWay.get(sessionId);
    const making = this.#makeOnce(sessionId, identity, make);
    const done = making.then(
      () => undefined,
      () => undefined,
    );
    this.#underWay.set(sessionId, done);
    try {
      await making;
    } finally {
      this.#underWay.delete(sessionId);
    }
  }

  async #makeOnce(
    sessionId: string,
    { by, key, digest }: CommandIdentity,
    make: () => Promise<void>,
  ): Promise<void> {
    const known = await this.#journal.session(sessionId);
    if (!known) await this.#expectNotDeleted(sessionId);
    const first = known && known.seq > 0 ? await this.#journal.read(sessionId, 0, FIRST_EVENTS) : [];
    const maker = first.find(({ event }) => event.type === 'command.accepted')?.event;
    if (maker?.type !== 'command.accepted' || maker.by !== by || maker.key !== key) return make();
    if (maker.digest !== digest) throw new Refusal({ code: 'key_reused', key: maker.key ?? '' });
  }

  /** Of a deleted session nothing is left that says which command made it, so no keyed command makes it again. */
  async #expectNotDeleted(sessionId: string): Promise<void> {
    const deleted = (await this.#journal.deletions()).findLast((each) => each.sessionId === sessionId);
    if (deleted) throw new Refusal({ code: 'session_deleted', sessionId, by: deleted.by, at: deleted.at });
  }
}
