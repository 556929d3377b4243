import type { Journal, Recorded } from '@countersign/engine';
import type { ApprovalMode } from '@countersign/protocol';
import { readFacts } from './read-facts.js';

type Circumstances = { readonly policy: string | null; readonly mode: ApprovalMode | null };
const NEVER_JUDGED: Circumstances = { policy: null, mode: null };

/** All that happened to a call, and under which rules and in which mode it was judged last; no facts: no such call. */
export async function callStory(
  journal: Journal,
  sessionId: string,
  callId: string,
): Promise<Circumstances & { readonly facts: readonly Recorded[] }> {
  const story = new CallStory(callId);
  for await (const page of readFacts(journal, sessionId)) for (const each of page) story.hear(each);
  return { ...story.judgedBy, facts: story.facts };
}

class CallStory {
  facts: Recorded[] = [];
  judgedBy = NEVER_JUDGED;
  readonly #callId: string;
  #now = NEVER_JUDGED;

  constructor(callId: string) {
    this.#callId = callId;
  }

  hear(fact: Recorded): void {
    const { event } = fact;
    if (event.type === 'policy.loaded') this.#now = { ...this.#now, policy: event.hash };
    if (event.type === 'session.opened' || event.type === 'mode.changed')
      this.#now = { ...this.#now, mode: event.mode };
    // An id may come again in a later turn: the latest call of that id is the one that is meant.
    if (event.type === 'call.requested' && event.request.callId === this.#callId) {
      this.facts = [fact];
      this.judgedBy = NEVER_JUDGED;
    }
    if (!('callId' in event) || event.callId !== this.#callId) return;
    this.facts.push(fact);
    if (event.type === 'call.planned') this.judgedBy = this.#now;
  }
}
