import type { Client, InboxChange, ServerEvent, SessionMessage } from '@countersign/server/client';
import { FollowedSessions, type SessionListener } from './followed-sessions.js';
import { type Link, stayConnected } from './stay-connected.js';
import { Store } from './store.js';
import { whileWanted } from './while-wanted.js';

export type LinkListener = {
  /** All is to be listed again; every later change is sent. */
  readonly onGreeting: () => void;
  readonly onChange: (change: InboxChange) => void;
};

/** Switching from one session to another is one change of the followed sessions. */
const GATHER_MS = 10;

/** The one stream for changes of all sessions, and for all events of the viewed ones. */
export class ServerLink extends Store<Link> {
  readonly #api: Client;
  readonly #listeners: LinkListener[] = [];
  readonly #sessions = new FollowedSessions(() => this.#renewSoon());
  #renewal = new AbortController();
  #isRenewing = false;
  #lastEventId: string | undefined;

  constructor(api: Client) {
    super({ state: 'connecting' });
    this.#api = api;
  }

  listen(listener: LinkListener): void {
    this.#listeners.push(listener);
  }

  /** Follows a session from its cursor on, without a gap, until the signal is aborted. */
  followSession(sessionId: string, listener: SessionListener, signal: AbortSignal): void {
    this.#sessions.follow(sessionId, listener, signal);
  }

  follow(signal: AbortSignal): Promise<void> {
    return whileWanted(
      (until) =>
        stayConnected({
          open: (connection) => this.#open(connection),
          onEvent: (event) => this.#receive(event),
          onLink: (link) => this.set(link),
          renewal: () => {
            this.#renewal = new AbortController();
            return this.#renewal.signal;
          },
          signal: until,
        }),
      signal,
    );
  }

  #open(signal: AbortSignal): ReturnType<Client['events']> {
    const sessions = this.#sessions.carry();
    const lastEventId = this.#lastEventId;
    return this.#api.events({ sessions }, lastEventId === undefined ? { signal } : { signal, lastEventId });
  }

  #renewSoon(): void {
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    setTimeout(() => {
      this.#isRenewing = false;
      this.#renewal.abort();
    }, GATHER_MS);
  }

  /** The server validates what it sends; the types are restored here. */
  #receive({ event, data, id }: ServerEvent): void {
    this.#lastEventId = id ?? this.#lastEventId;
    if (event === 'hello') for (const { onGreeting } of this.#listeners) onGreeting();
    if (event === 'change') for (const { onChange } of this.#listeners) onChange(data as InboxChange);
    if (event === 'session') this.#sessions.receive(data as SessionMessage);
  }
}
