import { setTimeout as delay } from 'node:timers/promises';
import { type JSONRPCMessage, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { boundedFetch } from './bounded-fetch.js';
import { unusableAnswer } from './read-message.js';

export type HttpTarget = {
  readonly url: URL;
  readonly headers: { readonly [name: string]: string };
  readonly messageBytesMax: number;
};

type SendOptions = Parameters<StreamableHTTPClientTransport['send']>[1];

const CHANNEL_MS_MAX = 5_000; // a server that takes longer to say whether it has one is not waited for, once and for all

/** Streamable HTTP, where a stream that ends without the answer fails the request instead of leaving it to wait. */
export class HttpTransport extends StreamableHTTPClientTransport {
  /** Aborted once there is nothing to wait for. */
  readonly #channel = new AbortController();
  /** Not every server that takes messages is asked for one. */
  #isChannelAsked = false;

  constructor({ url, headers, messageBytesMax }: HttpTarget) {
    const fetchBounded = boundedFetch(messageBytesMax);
    super(url, {
      requestInit: { headers },
      fetch: async (address, init) => {
        if (init?.method !== 'GET') return fetchBounded(address, init);
        this.#isChannelAsked = true;
        try {
          return await fetchBounded(address, init);
        } finally {
          this.#channel.abort();
        }
      },
    });
  }

  /**
   * Until the server has answered whether it has a channel for messages of its own; null if it has answered. A request
   * that it sends during a call before that would be lost, and the call would wait for it.
   */
  channelReady(cancelled: AbortSignal): Promise<void> | null {
    if (!this.#isChannelAsked || this.#channel.signal.aborted) return null;
    const signal = AbortSignal.any([this.#channel.signal, cancelled]);
    return delay(CHANNEL_MS_MAX, undefined, { signal }).then(
      () => this.#channel.abort(),
      () => undefined,
    );
  }

  override send(message: JSONRPCMessage | JSONRPCMessage[], options?: SendOptions): Promise<void> {
    if (Array.isArray(message) || !('method' in message) || !('id' in message))
      return super.send(message, options);
    const { id } = message;
    const onRequestStreamEnd = () =>
      this.onmessage?.(unusableAnswer(id, 'the connection was lost before the response arrived'));
    return super.send(message, { ...options, onRequestStreamEnd });
  }
}
