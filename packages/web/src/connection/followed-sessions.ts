import type { ApiError, Followed, SessionMessage } from '@countersign/server/client';

export type SessionListener = {
  /** How far it is known already; null: not at all. */
  readonly after: number | null;
  readonly onTold: (told: SessionMessage) => void;
  /** It is followed no further: there is no such session any more. */
  readonly onRefused: (error: ApiError) => void;
};

type FollowedSession = { readonly listener: SessionListener; after: number | null };

/** The viewed sessions, and the cursor of each. */
export class FollowedSessions {
  readonly #onChange: () => void;
  readonly #sessions = new Map<string, FollowedSession>();
  #carried: ReadonlyMap<string, FollowedSession> = new Map();

  /** `onChange`: a connection that carries others is wanted. */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  follow(sessionId: string, listener: SessionListener, signal: AbortSignal): void {
    const followed = { listener, after: listener.after };
    this.#sessions.set(sessionId, followed);
    this.#onChange();
    const leave = () => {
      if (this.#sessions.get(sessionId) !== followed) return;
      this.#sessions.delete(sessionId);
      this.#onChange();
    };
    signal.addEventListener('abort', leave, { once: true });
  }

  /** What a new connection is to carry, and from where on. */
  carry(): readonly Followed[] {
    this.#carried = new Map(this.#sessions);
    return [...this.#sessions].map(([sessionId, { after }]) =>
      after === null ? { sessionId } : { sessionId, after },
    );
  }

  hear(told: SessionMessage): void {
    const { sessionId } = told;
    const followed = this.#carried.get(sessionId);
    // Who has come since, even to the same session, begins elsewhere, and is followed by the next connection.
    if (!followed || this.#sessions.get(sessionId) !== followed) return;
    if (told.event === 'refused') {
      // Not asked for again with the next connection.
      this.#sessions.delete(sessionId);
      const error = told.data as Omit<ApiError, 'status'>;
      return followed.listener.onRefused({ ...error, status: 0 });
    }
    if (told.event === 'fact') followed.after = (told.data as { readonly seq: number }).seq;
    followed.listener.onTold(told);
  }
}
