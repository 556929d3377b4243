import type { Client, SessionSummary } from '@countersign/server/client';
import type { ServerLink } from './server-link.js';
import { Store } from './store.js';
import { untilAnswered } from './until-answered.js';

export type SessionsView = {
  readonly state: 'loading' | 'listed';
  /** The last used first. */
  readonly sessions: readonly SessionSummary[];
  readonly hasMore: boolean;
};

const PAGE = 50;
/** Many changes in a row are one look at the list. */
const SETTLE_MS = 150;

/** The sessions of the store. What changes was used last, so it is on the first page: that is read again. */
export class SessionList extends Store<SessionsView> {
  readonly #api: Client;
  readonly #known = new Map<string, SessionSummary>();
  #next: string | null = null;
  #isLooking = false;

  constructor(api: Client, link: ServerLink) {
    super({ state: 'loading', sessions: [], hasMore: false });
    this.#api = api;
    link.listen({
      onGreeting: () => {
        this.#known.clear();
        void this.#look();
      },
      onChange: (change) => {
        if (change.type === 'session.deleted') this.#forget(change.sessionId);
        else this.lookSoon();
      },
    });
  }

  async more(): Promise<void> {
    if (this.#next === null) return;
    const listed = await this.#api.listSessions({ limit: PAGE, cursor: this.#next });
    if (!listed.ok) return;
    this.#next = listed.value.next;
    this.#add(listed.value.sessions);
  }

  /** Also called by the view of a session, for changes that the list is not notified of, such as its title. */
  lookSoon(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    setTimeout(() => {
      this.#isLooking = false;
      void this.#look();
    }, SETTLE_MS);
  }

  async #look(): Promise<void> {
    const { sessions, next } = await untilAnswered(() => this.#api.listSessions({ limit: PAGE }));
    if (this.#known.size <= PAGE) this.#next = next;
    this.#add(sessions);
  }

  #add(sessions: readonly SessionSummary[]): void {
    for (const session of sessions) this.#known.set(session.sessionId, session);
    this.#show();
  }

  #forget(sessionId: string): void {
    this.#known.delete(sessionId);
    this.#show();
  }

  #show(): void {
    const sessions = [...this.#known.values()].sort((a, b) => b.updatedAt - a.updatedAt);
    this.set({ state: 'listed', sessions, hasMore: this.#next !== null });
  }
}
