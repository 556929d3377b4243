import { type Circumstances, decide, type Input, type PlanOutcome, type Session } from '@countersign/kernel';
import type { Event, Preview } from '@countersign/protocol';
import { failureThrown } from '../values/plain.js';

/** Tools that receive the answer to their question, in the process that planned the call. */
export class AnswerListeners {
  readonly #listeners = new Map<string, Preview>();

  planned(callId: string, outcome: PlanOutcome): void {
    if (!outcome.ok) return;
    const { preview } = outcome;
    if (preview.onAnswer || preview.narrowGrant) this.#listeners.set(callId, preview);
  }

  /** An answer that was too late for its question led to a new question: its tool receives the answer to that one. */
  askedAgain(session: Session, input: Input): void {
    if (input.type !== 'answer' || input.fresh.type !== 'planned' || !input.fresh.outcome.ok) return;
    const { plan } = input.fresh.outcome;
    const call = session.calls.get(input.callId);
    const isAsked = call?.status === 'awaiting_approval' && call.question.digest === plan.digest;
    if (isAsked) this.planned(input.callId, input.fresh.outcome);
  }

  /**
   * Passes an answer to the tool, once, while the call still waits. Answers to
   * one call are handled one after another, so if the kernel would accept this
   * one now, it will. Returns the input to submit: the answer, narrowed if the
   * tool agrees to less of a grant, or with the failure if the tool throws.
   */
  async notify(session: Session, input: Input, circumstances: Circumstances): Promise<Input> {
    if (input.type !== 'answer') return input;
    const listener = this.#listeners.get(input.callId);
    if (!listener) return input;
    const { events } = decide(session, input, circumstances);
    if (!events.some(({ type }) => type === 'call.answered')) return input;
    try {
      await listener.onAnswer?.(input.outcome, input.payload);
      const call = session.calls.get(input.callId);
      const offers = call?.status === 'awaiting_approval' ? call.question.offers : [];
      const offered = offers.find(({ outcome }) => outcome === input.outcome)?.grant;
      if (!offered || !listener.narrowGrant) return input;
      return { ...input, narrowed: listener.narrowGrant(input.outcome, offered.pattern) };
    } catch (thrown) {
      return { ...input, fresh: { type: 'failed', failure: failureThrown(thrown) } };
    }
  }

  /** A decided call receives no more answers. */
  observe(event: Event): void {
    if (this.#listeners.size === 0) return;
    if (event.type === 'call.granted' || event.type === 'call.failed' || event.type === 'call.cancelled') {
      this.#listeners.delete(event.callId);
    }
  }
}
