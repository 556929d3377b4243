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

  constructor(response: ServerResponse, { heartbeatMs, slowClientMs }: StreamLimits) {
    this.#response = response;
    this.#slowClientMs = slowClientMs;
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
    response.on('drain', () => this.#stopWaiting());
    response.on('close', () => {
      this.#stopWaiting();
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
    if (!this.over.aborted && !this.#write(frames)) await this.#room();
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

  #stopWaiting(): void {
    if (this.#slow) clearTimeout(this.#slow);
    this.#slow = null;
  }

  #room(): Promise<void> {
    return new Promise((resolve) => {
      const settle = () => {
        this.#response.off('drain', settle);
        this.#response.off('close', settle);
        resolve();
      };
      this.#response.on('drain', settle);
      this.#response.on('close', settle);
    });
  }
}

/** One event as it goes over the wire. JSON holds no line break, so one line of data is enough. */
export const frameOf = (event: string, data: unknown, id?: string | number): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
