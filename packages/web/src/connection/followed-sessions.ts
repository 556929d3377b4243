import type { ApiError, Followed, SessionMessage } from '@countersign/server/client';

export type SessionListener = {
  /** The cursor; null: from the first event on. */
  readonly after: number | null;
  readonly onMessage: (message: SessionMessage) => void;
  /** The session no longer exists, and is no longer followed. */
  readonly onRefused: (error: ApiError) => void;
};

type FollowedSession = { readonly listener: SessionListener; after: number | null };

/** The viewed sessions, and the cursor of each. */
export class FollowedSessions {
  readonly #onChange: () => void;
  readonly #sessions = new Map<string, FollowedSession>();
  #carried: ReadonlyMap<string, FollowedSession> = new Map();

  /** `onChange`: a connection with other sessions is needed. */
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

  receive(message: SessionMessage): void {
    const { sessionId } = message;
    const followed = this.#carried.get(sessionId);
    // A listener that was added since, even for the same session, has another cursor: the next connection carries it.
    if (!followed || this.#sessions.get(sessionId) !== followed) return;
    if (message.event === 'refused') {
      // The next connection does not request it again.
      this.#sessions.delete(sessionId);
      const error = message.data as Omit<ApiError, 'status'>;
      return followed.listener.onRefused({ ...error, status: 0 });
    }
    if (message.event === 'fact') followed.after = (message.data as { readonly seq: number }).seq;
    followed.listener.onMessage(message);
  }
}
