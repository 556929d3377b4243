import type { Input } from '@countersign/kernel';
import type { Ack, CancelTarget, Failure } from '@countersign/protocol';
import { wellFormedInput } from '../values/well-formed-input.js';
import type { Lifetime } from './lifetime.js';
import { type Mail, report } from './mail.js';

/** The one that takes the mail out. */
export type MailReader = {
  /** Deals with everything that has come, before anything else is taken out. */
  readonly take: (batch: readonly Mail[]) => Promise<void>;
  /** Whether there is something to do though no mail has come. */
  readonly isDue: () => boolean;
  /** The mailbox was emptied. */
  readonly emptied: () => void;
};

/** Everything that happens to a session comes through here and is taken out by one hand, all that is there at a time. */
export class Mailbox {
  readonly #lifetime: Lifetime;
  readonly #now: () => number;
  #reader: MailReader | null = null;
  #mail: Mail[] = [];
  /** What the drain under way took. */
  #inHand: readonly Mail[] = [];
  #draining = false;
  #drainNext = false;
  #drainSoon: NodeJS.Immediate | null = null;

  constructor(lifetime: Lifetime, now: () => number) {
    this.#lifetime = lifetime;
    this.#now = now;
  }

  /** From now on mail is taken out by this one. */
  openTo(reader: MailReader): void {
    this.#reader = reader;
    if (this.#mail.length > 0) this.wake();
  }

  /** Nothing waits, and nothing is being dealt with. */
  get isEmpty(): boolean {
    return this.#mail.length === 0 && !this.#draining;
  }

  /** Resolves with the result, once that is written. */
  submit(input: Input, options: Partial<Pick<Mail, 'inboxId' | 'onTurn' | 'identity'>> = {}): Promise<Ack> {
    const { ended } = this.#lifetime;
    if (ended) return Promise.resolve({ ok: false, failure: ended });
    return new Promise((reply) => {
      const { inboxId = null, onTurn = null, identity = null } = options;
      this.post({ input: wellFormedInput(input), settled: null, reply, inboxId, onTurn, identity });
    });
  }

  post(mail: Mail): void {
    if (this.#lifetime.ended) return;
    this.#mail.push(mail);
    // After this tick, so that everything said in it is one drain. A microtask of its own each would cost a µs each.
    if (this.#draining || this.#drainNext) return;
    this.#drainNext = true;
    queueMicrotask(() => void this.#drain());
  }

  /** A report of work. No sender waits for a reply. */
  report(input: Input): void {
    if (this.#lifetime.ended) return;
    this.#mail.push(report(wellFormedInput(input)));
    // Reports come in swarms; waiting for the end of this round of the loop makes one append of a swarm.
    if (!this.#draining) this.#drainSoon ??= setImmediate(() => void this.#drain());
  }

  /** As a report: no sender waits for a reply, so it must not be dropped when the journal fails. */
  cancel(target: CancelTarget, by: string): void {
    this.post(report({ type: 'cancel', target, by, at: this.#now() }));
  }

  /** The running call that requested this one no longer wants it. */
  withdraw(callId: string): void {
    this.post(report({ type: 'nested.withdrawn', callId, at: this.#now() }));
  }

  /** Could not be written: to be taken out again, before what came since. */
  putBack(mail: readonly Mail[]): void {
    this.#mail.unshift(...mail);
  }

  /** Something is due. */
  wake(): void {
    if (!this.#draining) void this.#drain();
  }

  /** The session is over: waiting senders learn why there is no answer. */
  giveUp(failure: Failure): void {
    if (this.#drainSoon) clearImmediate(this.#drainSoon);
    for (const { reply } of [...this.#inHand, ...this.#mail]) reply?.({ ok: false, failure });
    this.#mail = [];
  }

  async #drain(): Promise<void> {
    const reader = this.#reader;
    this.#drainNext = false;
    if (this.#draining || !reader) return;
    this.#draining = true;
    if (this.#drainSoon) clearImmediate(this.#drainSoon);
    this.#drainSoon = null;
    try {
      while ((this.#mail.length > 0 || reader.isDue()) && !this.#lifetime.ended) {
        const batch = this.#mail;
        this.#mail = [];
        this.#inHand = batch;
        await reader.take(batch);
        this.#inHand = [];
      }
    } catch (thrown) {
      // Only a fault of our own comes here. Going on from an unknown state is not an option.
      await this.#lifetime.end({
        code: 'internal',
        message: thrown instanceof Error ? thrown.message : String(thrown),
      });
    } finally {
      this.#draining = false;
      reader.emptied();
    }
  }
}
