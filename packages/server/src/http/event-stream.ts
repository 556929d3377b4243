import { setMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';

export type StreamLimits = { readonly heartbeatMs: number; readonly slowClientMs: number };

/** How soon a browser tries again by itself after a stream has ended. */
const RETRY_MS = 1_000;

/**
 * One client that listens. Nothing is kept for it here: who sends waits until
 * it has taken what came before, and one that takes nothing for too long is cut
 * off. It knows the number of the last fact it got, and goes on from there.
 */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #slowClientMs: number;
  readonly #over = new AbortController();
  readonly #heartbeat: NodeJS.Timeout;
  #slow: NodeJS.Timeout | null = null;
  /** One for all who wait: a stream may carry many sources. */
  #room: { readonly promise: Promise<void>; readonly settle: () => void } | null = null;

  constructor(response: ServerResponse, { heartbeatMs, slowClientMs }: StreamLimits) {
    this.#response = response;
    this.#slowClientMs = slowClientMs;
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
    // Every source that the stream carries listens for its end.
    setMaxListeners(0, this.#over.signal);
    response.on('drain', () => this.#hasRoom());
    response.on('close', () => {
      this.#hasRoom();
      clearInterval(this.#heartbeat);
      this.#over.abort();
    });
    this.#heartbeat = setInterval(() => this.offer(':\n\n'), heartbeatMs);
    this.#write(`retry: ${RETRY_MS}\n\n`);
  }

  /** Aborted when the stream has ended, or its client is gone. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Resolves when there is room for more, or nobody to take it. */
  async send(frames: string): Promise<void> {
    if (!this.over.aborted && !this.#write(frames)) await this.#untilRoom();
  }

  /** For what is of use only now. False if the client is behind, and it was not sent. */
  offer(frames: string): boolean {
    if (this.over.aborted || this.#response.writableNeedDrain) return false;
    this.#write(frames);
    return true;
  }

  end(): void {
    this.#over.abort();
    this.#response.end();
    // A client that does not take the end of it is not waited for.
    this.#response.socket?.destroySoon();
  }

  #write(frames: string): boolean {
    if (this.#response.write(frames)) return true;
    this.#slow ??= setTimeout(() => this.#response.destroy(), this.#slowClientMs);
    return false;
  }

  #hasRoom(): void {
    if (this.#slow) clearTimeout(this.#slow);
    this.#slow = null;
    this.#room?.settle();
    this.#room = null;
  }

  #untilRoom(): Promise<void> {
    if (!this.#room) {
      let settle = () => {};
      const promise = new Promise<void>((resolve) => {
        settle = resolve;
      });
      this.#room = { promise, settle };
    }
    return this.#room.promise;
  }
}

/** One event as it goes over the wire. JSON holds no line break, so one line of data is enough. */
export const frameOf = (event: string, json: string, id?: string | number): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${json}\n\n`;

/** Many may be sent the same: it is spelled out once, and forgotten with the thing itself. */
const spelled = new WeakMap<object, string>();

export function jsonOf(value: object): string {
  const known = spelled.get(value);
  if (known !== undefined) return known;
  const json = JSON.stringify(value);
  spelled.set(value, json);
  return json;
}
