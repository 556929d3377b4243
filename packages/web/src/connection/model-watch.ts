import type { Client } from '@countersign/server/client';
import type { ServerLink } from './server-link.js';
import { Store } from './store.js';

/**
 * The name of the model that answers messages; null where there is none. It may come while the page is open: the server
 * is started again with a key, or a local one is started beside it.
 */
export class ModelWatch extends Store<string | null> {
  readonly #api: Client;

  constructor(api: Client, link: ServerLink, model: string | null, signal: AbortSignal) {
    super(model);
    this.#api = api;
    link.listen({ onGreeting: () => void this.#look(), onChange: () => {} });
    const lookAgain = () => {
      if (!document.hidden && this.get() === null) void this.#look();
    };
    document.addEventListener('visibilitychange', lookAgain, { signal });
  }

  async #look(): Promise<void> {
    const me = await this.#api.whoAmI({});
    if (me.ok) this.set(me.value.model);
  }
}
