import type { SessionClient } from './session-client.js';
import { SessionEvents, type SessionListener } from './session-events.js';
import { SessionFold } from './session-fold.js';

/** A session that is followed through a client, wherever its owner is: its state, and what happens in it. */
export class FollowedSession {
  readonly client: SessionClient;
  readonly events = new SessionEvents();
  readonly #fold: SessionFold;

  constructor(client: SessionClient) {
    this.client = client;
    this.#fold = new SessionFold(client.sessionId);
  }

  get session() {
    return this.#fold.session;
  }

  /** The number of the next event. */
  get seq(): number {
    return this.#fold.seq;
  }

  /** Until the signal, from where it was left. Rejects with what a listener throws, or the client. */
  async follow(signal: AbortSignal): Promise<void> {
    for await (const batch of this.client.events(this.seq, signal)) this.events.deliver(batch, this.#fold);
  }
}

/** Follows a session from its beginning, for one listener. */
export async function followSession(
  client: SessionClient,
  signal: AbortSignal,
  listener: SessionListener,
): Promise<void> {
  const followed = new FollowedSession(client);
  followed.events.subscribe(listener);
  await followed.follow(signal);
}
