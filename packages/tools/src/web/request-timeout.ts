import { ToolFailure } from '@countersign/protocol';
import { fetchFailed } from './connection-failure.js';
import type { WebLimits } from './web-limits.js';

/** Aborts a request on one of three timeouts (connecting, idle, total), or when the caller aborts. */
export class RequestTimeout {
  readonly #stop = new AbortController();
  readonly #url: string;
  readonly #limits: WebLimits;
  readonly #outer: AbortSignal;
  readonly #total: NodeJS.Timeout;
  #waiting: NodeJS.Timeout | undefined;

  constructor(url: URL, limits: WebLimits, outer: AbortSignal) {
    this.#url = url.href;
    this.#limits = limits;
    this.#outer = outer;
    const { totalMs } = limits;
    // Not worth a retry: a server that is this slow will be slow again.
    const tooSlow = fetchFailed(url, `it took more than ${totalMs} ms`);
    this.#total = setTimeout(() => this.#stop.abort(tooSlow), totalMs);
    outer.addEventListener('abort', this.#onOuterAbort);
    if (outer.aborted) this.#onOuterAbort();
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Why it was stopped; null if it was not. Whatever breaks after a stop breaks because of it. */
  get failure(): ToolFailure | null {
    const reason: unknown = this.signal.reason;
    return reason instanceof ToolFailure ? reason : null;
  }

  /** A name server that does not answer cannot be stopped, but it need not be waited for. */
  async orStopped<T>(begin: () => Promise<T>): Promise<T> {
    const { signal } = this;
    signal.throwIfAborted();
    let stop = () => {};
    const stopped = new Promise<never>((_, reject) => {
      stop = () => reject(this.failure ?? new Error('stopped without a reason'));
      signal.addEventListener('abort', stop);
    });
    return Promise.race([begin(), stopped]).finally(() => signal.removeEventListener('abort', stop));
  }

  connecting(): void {
    const { connectMs } = this.#limits;
    this.#await(connectMs, `no connection to ${this.#url} within ${connectMs} ms`);
  }

  /** There is a connection, or a byte has arrived. */
  progressed(): void {
    const { idleMs } = this.#limits;
    this.#await(idleMs, `${this.#url} sent nothing for ${idleMs} ms`);
  }

  /** Everything has arrived: the idle timeout no longer applies. */
  received(): void {
    clearTimeout(this.#waiting);
  }

  over(): void {
    clearTimeout(this.#total);
    clearTimeout(this.#waiting);
    this.#outer.removeEventListener('abort', this.#onOuterAbort);
  }

  #await(forMs: number, message: string): void {
    clearTimeout(this.#waiting);
    const failure = { code: 'network', message } as const;
    this.#waiting = setTimeout(() => this.#stop.abort(new ToolFailure(failure)), forMs);
  }

  readonly #onOuterAbort = (): void => {
    this.#stop.abort(fetchFailed({ href: this.#url }, 'it was stopped before it finished'));
  };
}
