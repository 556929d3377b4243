import { JournalError } from '@countersign/engine/journal';
import { toKey } from '../database/row-key.js';
import type { SqliteStore } from '../database/sqlite-store.js';
import { isOwnedBy } from './session-rows.js';

type Held = { readonly token: number; readonly lost: AbortController };

/**
 * The sessions that this handle has taken. Another process that took one of them over changed the file, so whenever others
 * change it, the rows of these sessions are looked at: an owner that was stopped for long learns soon that it is none.
 */
export class HeldSessions {
  readonly #store: Pick<SqliteStore, 'read'>;
  readonly #held = new Map<string, Held>();

  constructor(store: Pick<SqliteStore, 'read'>) {
    this.#store = store;
  }

  /** Returns the signal that is aborted when the session is lost. */
  add(sessionId: string, token: number): AbortSignal {
    const lost = new AbortController();
    this.#held.set(sessionId, { token, lost });
    return lost.signal;
  }

  /** Given back. False if it is not held under this token. */
  remove(sessionId: string, token: number): boolean {
    if (this.#held.get(sessionId)?.token !== token) return false;
    return this.#held.delete(sessionId);
  }

  removeAll(): readonly { readonly sessionId: string; readonly token: number }[] {
    const held = Array.from(this.#held, ([sessionId, { token }]) => ({ sessionId, token }));
    this.#held.clear();
    return held;
  }

  /** Another owner has it. */
  lose(sessionId: string, token: number): void {
    const held = this.#held.get(sessionId);
    if (this.remove(sessionId, token)) held?.lost.abort();
  }

  /** Others have changed the file. */
  async look(): Promise<void> {
    if (this.#held.size === 0) return;
    try {
      const lost = await this.#store.read((db) =>
        [...this.#held].filter(([sessionId, { token }]) => !isOwnedBy(db, toKey(sessionId), token)),
      );
      for (const [sessionId, { token }] of lost) this.lose(sessionId, token);
    } catch (error) {
      // The next append says what is wrong with the file.
      if (!(error instanceof JournalError)) throw error;
    }
  }
}
