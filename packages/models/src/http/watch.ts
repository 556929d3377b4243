import type { ClientRequest } from 'node:http';

/** Ends an exchange that is cancelled, or silent for too long, and keeps the reason. */
export class Watch {
  stopped: { readonly reason: unknown } | null = null;
  readonly #signal: AbortSignal;
  #request: ClientRequest | null = null;
  #timer: NodeJS.Timeout | undefined;
  readonly #stopping = new AbortController();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', this.#onAbort);
  }

  /** Aborted when the exchange is stopped: a connection through a proxy may be under way without a socket of the request. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  over(request: ClientRequest): void {
    this.#request = request;
  }

  /** Unless this is called again, or `rest`, within the time, the exchange ends for this reason. */
  expect(withinMs: number, orElse: () => unknown): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#stop(orElse()), withinMs);
  }

  /** Nothing is expected for now. */
  rest(): void {
    clearTimeout(this.#timer);
  }

  end(): void {
    this.rest();
    this.#signal.removeEventListener('abort', this.#onAbort);
  }

  readonly #onAbort = () => this.#stop(this.#signal.reason);

  #stop(reason: unknown): void {
    this.stopped ??= { reason };
    // With an error of its own, so that the waiting code receives it in every state of the request.
    this.#request?.destroy(new Error('stopped'));
    this.#stopping.abort();
  }
}
