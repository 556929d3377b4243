import type { Ack, Command } from '@countersign/protocol';
import type { Delivery, SessionClient } from './client.js';
import { type Journal, JournalError, readPage } from './journal/index.js';

/** How often a waiting client looks by itself, should a wake-up be missed or the owner die. */
const LOOK_EVERY_MS = 100;

/** A session that another process works on: commands go into its inbox, facts are read from the journal. */
export class RemoteClient implements SessionClient {
  readonly sessionId: string;
  readonly #journal: Journal;

  constructor(journal: Journal, sessionId: string) {
    this.#journal = journal;
    this.sessionId = sessionId;
  }

  async *events(fromSeq: number, signal: AbortSignal): AsyncGenerator<readonly Delivery[]> {
    for (let next = fromSeq; !signal.aborted; ) {
      const changed = this.#change(signal);
      const recorded = await readPage(this.#journal, this.sessionId, next);
      const last = recorded.at(-1);
      if (last) {
        changed.stop();
        next = last.seq + 1;
        yield recorded;
      } else await changed.happened;
    }
  }

  /** Resolves when the owner has recorded what became of the command. Refused if nobody owns the session (any more). */
  async send(command: Command, signal?: AbortSignal): Promise<Ack> {
    try {
      return await this.#outcomeOf(await this.#journal.post(this.sessionId, command), signal);
    } catch (thrown) {
      if (thrown instanceof JournalError) return { ok: false, failure: thrown.failure };
      throw thrown;
    }
  }

  async #outcomeOf(inboxId: number, signal: AbortSignal | undefined): Promise<Ack> {
    for (;;) {
      const changed = this.#change(signal);
      const outcome = await this.#journal.outcomeOf(inboxId);
      if (outcome) {
        changed.stop();
        return outcome;
      }
      const owner = (await this.#journal.session(this.sessionId))?.owner ?? null;
      if ((owner === null || signal?.aborted) && (await this.#journal.withdraw(inboxId))) {
        changed.stop();
        const { sessionId } = this;
        return {
          ok: false,
          failure: owner
            ? { code: 'given_up', sessionId, ...owner.shown }
            : { code: 'session_idle', sessionId },
        };
      }
      await changed.happened;
    }
  }

  /** Listens from now on: what changes between looking and waiting is not missed. */
  #change(signal?: AbortSignal): { readonly happened: Promise<void>; readonly stop: () => void } {
    let stop = () => {};
    const happened = new Promise<void>((resolve) => {
      const unwatch = this.#journal.watch(() => stop(), { sessionId: this.sessionId });
      const timer = setTimeout(() => stop(), LOOK_EVERY_MS);
      stop = () => {
        unwatch();
        clearTimeout(timer);
        signal?.removeEventListener('abort', stop);
        resolve();
      };
      // Fired already: then it is the owner that is waited for, which looks at the store from time to time.
      if (!signal?.aborted) signal?.addEventListener('abort', stop);
    });
    return { happened, stop: () => stop() };
  }
}
