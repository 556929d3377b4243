import type { Client, InboxChange } from '@countersign/server/client';
import { type Link, stayConnected } from './stay-connected.js';
import { Store } from './store.js';

export type LinkListener = {
  /** All is to be listed anew; whatever changes from here on is told. */
  readonly onGreeting: () => void;
  readonly onChange: (change: InboxChange) => void;
};

/** The one stream that tells what changes in all sessions. */
export class ServerLink extends Store<Link> {
  readonly #api: Client;
  readonly #listeners: LinkListener[] = [];

  constructor(api: Client) {
    super({ state: 'connecting' });
    this.#api = api;
  }

  listen(listener: LinkListener): void {
    this.#listeners.push(listener);
  }

  follow(signal: AbortSignal): Promise<void> {
    return stayConnected({
      open: (lastEventId) =>
        this.#api.events('inbox', lastEventId === undefined ? { signal } : { signal, lastEventId }),
      hear: ({ event, data }) => {
        if (event === 'hello') for (const { onGreeting } of this.#listeners) onGreeting();
        // What the server sends is what its contract says; here its type is given back to it.
        if (event === 'change') for (const { onChange } of this.#listeners) onChange(data as InboxChange);
      },
      onLink: (link) => this.set(link),
      signal,
    });
  }
}
