import type { Append, Journal } from '@countersign/engine';
import type { SharedStore } from './shared-store.js';

/** Other processes may write every few milliseconds; reading this often is soon enough for users. */
const LOOK_EVERY_MS = 50;

export type StoreListener = {
  /** A session of this process wrote something. */
  readonly onAppend: (append: Append) => void;
  /** Another process wrote to this session; the store has the details. */
  readonly onOthers: (sessionId: string) => void;
  readonly onDeleted: (sessionId: string) => void;
};

/** `createdAt` distinguishes sessions that use the same id one after the other; null until it is read. */
type Known = { readonly seq: number; readonly createdAt: number | null };

/**
 * Reports which sessions change, in any process. One read of the list of sessions serves all followers.
 */
export class StoreChanges {
  readonly #journal: Journal;
  readonly #listeners = new Set<StoreListener>();
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #onTrouble: (text: string) => void;
  #known = new Map<string, Known>();
  #unwatch: (() => void) | null = null;
  #isLooking = false;
  #lookAgain = false;
  #isClosed = false;
  /** What was reported and is not over: it is not reported again. */
  #trouble: string | null = null;

  constructor(journal: Journal, store: SharedStore, onTrouble: (text: string) => void) {
    this.#journal = journal;
    this.#onTrouble = onTrouble;
    store.observe((append) => this.#appended(append));
  }

  async start(): Promise<void> {
    this.#unwatch = this.#journal.watch(() => this.look());
    for (const { sessionId, seq, createdAt } of await this.#journal.list())
      this.#known.set(sessionId, { seq, createdAt });
  }

  listen(listener: StoreListener): void {
    this.#listeners.add(listener);
  }

  /** Waits for a change of the session from this call on; ends with the signal, or when it is stopped. */
  wait(
    sessionId: string,
    signal: AbortSignal,
  ): { readonly happened: Promise<void>; readonly stop: () => void } {
    const waiting = this.#waiting.get(sessionId) ?? new Set();
    this.#waiting.set(sessionId, waiting);
    let stop = () => {};
    const happened = new Promise<void>((resolve) => {
      stop = () => {
        waiting.delete(stop);
        if (waiting.size === 0 && this.#waiting.get(sessionId) === waiting) this.#waiting.delete(sessionId);
        signal.removeEventListener('abort', stop);
        resolve();
      };
      waiting.add(stop);
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop);
    });
    return { happened, stop };
  }

  /** It was deleted here: reported before a session of the same id can be created. */
  deleted(sessionId: string): void {
    this.#known.delete(sessionId);
    for (const { onDeleted } of this.#listeners) onDeleted(sessionId);
    this.#wake(sessionId);
  }

  /** Reads what other processes changed. */
  look(): void {
    this.#lookAgain = true;
    if (!this.#isLooking) void this.#look();
  }

  close(): void {
    this.#isClosed = true;
    this.#unwatch?.();
  }

  #appended(append: Append): void {
    const { sessionId, expectedSeq, events } = append;
    const known = this.#known.get(sessionId);
    // It begins again: the one before was deleted by another process.
    if (known && expectedSeq === 0 && known.seq > 0) this.deleted(sessionId);
    const createdAt = expectedSeq === 0 ? null : (known?.createdAt ?? null);
    this.#known.set(sessionId, { seq: expectedSeq + events.length, createdAt });
    for (const { onAppend } of this.#listeners) onAppend(append);
    this.#wake(sessionId);
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    while (this.#lookAgain && !this.#isClosed) {
      this.#lookAgain = false;
      try {
        await this.#compare();
        if (this.#trouble !== null) this.#onTrouble('The store can be read again.');
        this.#trouble = null;
      } catch (thrown) {
        const trouble = `The store could not be read: ${String(thrown)}`;
        if (trouble !== this.#trouble) this.#onTrouble(trouble);
        this.#trouble = trouble;
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS).unref());
    }
    this.#isLooking = false;
  }

  async #compare(): Promise<void> {
    const sessions = await this.#journal.list();
    const found = new Set<string>();
    for (const { sessionId, seq, createdAt } of sessions) {
      found.add(sessionId);
      const known = this.#known.get(sessionId);
      const isAnother = known && known.createdAt !== null && known.createdAt !== createdAt;
      if (isAnother) this.deleted(sessionId);
      // This process may have written more than the list shows.
      const isNews = isAnother || seq > (known?.seq ?? -1);
      this.#known.set(sessionId, { seq: isNews ? seq : (known?.seq ?? seq), createdAt });
      if (!isNews) continue;
      for (const { onOthers } of this.#listeners) onOthers(sessionId);
      this.#wake(sessionId);
    }
    for (const sessionId of this.#known.keys()) {
      if (found.has(sessionId) || (await this.#journal.session(sessionId)) !== null) continue;
      // It may have been reported in the meantime.
      if (this.#known.has(sessionId)) this.deleted(sessionId);
    }
  }

  #wake(sessionId: string): void {
    for (const wake of [...(this.#waiting.get(sessionId) ?? [])]) wake();
  }
}
