import { setImmediate } from 'node:timers/promises';
import { type Journal, type Recorded, readPages } from '@countersign/engine';
import type { ApprovalMode } from '@countersign/protocol';
import { CHARS_PER_PAGE } from './fact-pages.js';

type Circumstances = { readonly policy: string | null; readonly mode: ApprovalMode | null };
const NEVER_JUDGED: Circumstances = { policy: null, mode: null };

/** Everything that happened to a call, and the rules and the mode that it was last judged under. No facts: no such call. */
export async function callStory(
  journal: Journal,
  sessionId: string,
  callId: string,
): Promise<Circumstances & { readonly facts: readonly Recorded[] }> {
  let facts: Recorded[] = [];
  let judgedUnder = NEVER_JUDGED;
  let current = NEVER_JUDGED;
  for await (const page of readPages(journal, sessionId, 0, CHARS_PER_PAGE)) {
    for (const fact of page) {
      const { event } = fact;
      if (event.type === 'policy.loaded') current = { ...current, policy: event.hash };
      if (event.type === 'session.opened' || event.type === 'mode.changed')
        current = { ...current, mode: event.mode };
      // An id may be used again in a later turn: the latest call of that id is meant.
      if (event.type === 'call.requested' && event.request.callId === callId) {
        facts = [fact];
        judgedUnder = NEVER_JUDGED;
      }
      if (!('callId' in event) || event.callId !== callId) continue;
      facts.push(fact);
      if (event.type === 'call.planned') judgedUnder = current;
    }
    // Other requests run between two pages.
    await setImmediate();
  }
  return { ...judgedUnder, facts };
}
