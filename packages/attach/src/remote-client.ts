import type { SessionClient } from '@countersign/client';
import { type Journal, JournalError, readPage } from '@countersign/engine';
import type { Ack, Command, Delivery } from '@countersign/protocol';

/** How often a waiting client polls, in case a notification is missed or the owner dies. */
const LOOK_EVERY_MS = 100;

/** A session that another process owns: commands go into its inbox, events are read from the journal. */
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

  /** Resolves when the owner has recorded the result of the command. Refused if the session has no owner any more. */
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

  /** Subscribes before reading, so that no change between reading and waiting is missed. */
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
      // If it is already aborted, only the owner is awaited, by polling.
      if (!signal?.aborted) signal?.addEventListener('abort', stop);
    });
    return { happened, stop: () => stop() };
  }
}
