import type { Failure } from '@countersign/protocol';
import type { Delay } from '../limits/time.js';

/** Between tries of a journal that failed: long enough not to hammer a full disk, short enough to continue soon. */
const JOURNAL_RETRY_MS = 250;
/** Closing does not wait for a broken journal without limit: what is not written by then is recovered as after a crash. */
const CLOSING_TRIES_MAX = 4;

/** How long a session lasts: open, then perhaps closing, then over for one reason that never changes. */
export class Lifetime {
  readonly #delay: Delay;
  readonly #departing: ((failure: Failure) => Promise<void>)[] = [];
  readonly #over = new AbortController();
  readonly #closing = new AbortController();
  #triesWhileClosing = 0;
  #ended: Failure | null = null;
  #left: Promise<void> | null = null;

  constructor(delay: Delay) {
    this.#delay = delay;
  }

  /** Called once when the session ends, with the reason; `end` resolves when all of these are done. */
  onEnd(depart: (failure: Failure) => Promise<void>): void {
    this.#departing.push(depart);
  }

  /** Why the session can no longer be used; null while it can. */
  get ended(): Failure | null {
    return this.#ended;
  }

  get closing(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Fires when the session begins to be left, before what runs in it is cancelled. */
  get leaving(): AbortSignal {
    return this.#closing.signal;
  }

  /** Why nothing new is taken on; null while it is. */
  get refusal(): Failure | null {
    return this.#ended ?? (this.closing ? { code: 'disposed' } : null);
  }

  /** Fires when the session is left. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** What runs may end; nothing else begins. */
  close(): void {
    this.#closing.abort();
  }

  end(failure: Failure): Promise<void> {
    this.#left ??= this.#leave(failure);
    return this.#left;
  }

  /** Between two tries of a journal that does not work; ends early when the session does. */
  async pauseBeforeRetry(): Promise<void> {
    await this.#delay(JOURNAL_RETRY_MS, this.over).catch(() => undefined);
    if (this.closing && ++this.#triesWhileClosing >= CLOSING_TRIES_MAX) await this.end({ code: 'disposed' });
  }

  async #leave(failure: Failure): Promise<void> {
    this.#ended = failure;
    this.#closing.abort();
    this.#over.abort();
    for (const depart of this.#departing) await depart(failure);
  }
}
