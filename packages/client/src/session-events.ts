import type { AwaitingCall, Delivery, Fact, Live, ToolCall } from '@countersign/protocol';
import { type ApprovalChannel, updateChannel } from './approval-channel.js';
import { OpenQuestions, type QuestionChange } from './open-questions.js';
import type { SessionFold } from './session-fold.js';

/** What a front end can listen to. */
export type SessionListener = {
  /** One fact after the other. */
  readonly onFact?: (fact: Fact) => void;
  /** Facts that were written or read together, after each of them. */
  readonly onFacts?: (facts: readonly Fact[]) => void;
  /** What is shown while it happens. */
  readonly onLive?: (live: Live) => void;
  /** A question was raised or changed, emitted after all facts of its batch; or is gone, emitted after the fact that ended it. */
  readonly onQuestion?: (change: QuestionChange) => void;
};

/**
 * What happens in a session, for any number of listeners: the one place where questions are noticed. It is fed by the
 * session itself where that is in this process (as its `watcher`), and by a fold of deliveries everywhere else.
 */
export class SessionEvents {
  readonly #listeners = new Set<SessionListener>();
  readonly #questions = new OpenQuestions();
  #thrown: { readonly error: unknown } | null = null;

  /** The calls whose questions wait for an answer, oldest first. */
  get waiting(): readonly AwaitingCall[] {
    return this.#questions.open;
  }

  /** Whether this very question still waits. */
  waitsFor({ question }: AwaitingCall): boolean {
    return this.waiting.some((call) => call.question === question);
  }

  /** Returns how to stop. */
  subscribe(listener: SessionListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Offers what waits now, and keeps the channel up to date. Returns how to stop. */
  connect(channel: ApprovalChannel): () => void {
    for (const call of this.waiting) channel.offer(call);
    return this.subscribe({ onQuestion: (change) => updateChannel(channel, change) });
  }

  /** The facts of one append, as a session in this process emits them. */
  readonly onFacts = (facts: readonly Fact[]): void => {
    for (const fact of facts) this.#emitFact(fact);
    this.#endBatch(facts);
  };

  readonly onLive = (live: Live): void => {
    this.#emit(({ onLive }) => onLive?.(live));
    this.#rethrow();
  };

  /** What a client delivers, folded here. */
  deliver(batch: readonly Delivery[], fold: SessionFold): void {
    const facts: Fact[] = [];
    for (const delivery of batch) {
      if ('live' in delivery) this.#emit(({ onLive }) => onLive?.(delivery.live));
      else {
        const fact = fold.fold(delivery);
        facts.push(fact);
        this.#emitFact(fact);
      }
    }
    this.#endBatch(facts);
  }

  /** Calls that an earlier owner of the session left open. */
  adopt(calls: readonly ToolCall[]): void {
    for (const call of calls) this.#questions.observe(call);
    this.#endBatch([]);
  }

  #emitFact(fact: Fact): void {
    this.#emit(({ onFact }) => onFact?.(fact));
    const gone = fact.call && this.#questions.observe(fact.call);
    if (gone) this.#emit(({ onQuestion }) => onQuestion?.(gone));
  }

  #endBatch(facts: readonly Fact[]): void {
    if (facts.length > 0) this.#emit(({ onFacts }) => onFacts?.(facts));
    for (const change of this.#questions.endBatch()) this.#emit(({ onQuestion }) => onQuestion?.(change));
    this.#rethrow();
  }

  /** A listener that throws does not affect the others; the first error is rethrown to the session. */
  #emit(emitTo: (listener: SessionListener) => void): void {
    for (const listener of this.#listeners) {
      try {
        emitTo(listener);
      } catch (error) {
        this.#thrown ??= { error };
      }
    }
  }

  #rethrow(): void {
    const thrown = this.#thrown;
    this.#thrown = null;
    if (thrown) throw thrown.error;
  }
}
