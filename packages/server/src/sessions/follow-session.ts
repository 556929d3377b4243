import type { AgentEvent } from '@countersign/agent';
import type { Delivery, Journal } from '@countersign/engine';
import { jsonOf } from '../http/event-stream.js';
import type { Hearer, Told } from '../http/hearer.js';
import type { StoreChanges } from '../inbox/store-changes.js';
import { FACTS_PER_READ } from '../limits.js';
import type { Held, SessionHost } from './session-host.js';

export type Sources = {
  readonly journal: Journal;
  readonly host: SessionHost;
  readonly changes: StoreChanges;
};

/**
 * Tells the facts of a session from `fromSeq` on for as long as somebody
 * listens, each once and in order, whoever works on the session: this process,
 * another one, or nobody, one after the other. Ends when there is no such
 * session any more.
 */
export async function followSession(
  sessionId: string,
  fromSeq: number,
  hearer: Hearer,
  { journal, host, changes }: Sources,
): Promise<void> {
  const { over } = hearer;
  let next = fromSeq;
  const send = (batch: readonly Delivery[]): Promise<void> => {
    const last = batch.findLast((delivery) => 'seq' in delivery);
    if (last && 'seq' in last) next = last.seq + 1;
    return hearer.send(batch.map(told));
  };
  const createdAt = (await journal.session(sessionId))?.createdAt ?? null;
  while (!over.aborted) {
    // From before the look on: what is written between looking and waiting is not missed.
    const change = changes.wait(sessionId, over);
    try {
      const info = await journal.session(sessionId);
      // Another one may bear its id by now.
      if (info === null || info.createdAt !== createdAt) return;
      const held = host.held(sessionId);
      // Who is far behind reads from the store, a page at a time; a session hands out all there is at once.
      if (held && held.session.seq - next <= FACTS_PER_READ) {
        await followHeld(held, next, hearer, send);
        continue;
      }
      const facts = await journal.read(sessionId, next, FACTS_PER_READ);
      if (facts.length > 0) await send(facts);
      else await change.happened;
    } finally {
      change.stop();
    }
  }
}

/** As long as this process works on it. */
async function followHeld(
  held: Held,
  fromSeq: number,
  hearer: Hearer,
  send: (batch: readonly Delivery[]) => Promise<void>,
): Promise<void> {
  const stopHearing = hearAgent(held, hearer);
  try {
    for await (const batch of held.session.events(fromSeq, hearer.over)) await send(batch);
  } finally {
    stopHearing();
  }
}

function told(delivery: Delivery): Told {
  if ('live' in delivery) return { event: 'live', json: jsonOf(delivery.live) };
  const { seq, event } = delivery;
  return { event: 'fact', json: `{"seq":${seq},"event":${jsonOf(event)}}`, id: String(seq) };
}

/** What a model says, as it says it. A client that misses a piece gets the whole as a fact, so the rest is left out. */
function hearAgent({ work }: Held, hearer: Hearer): () => void {
  let hasMissed = false;
  return work.listen((event) => {
    if (isToldByFacts(event)) return;
    const isPiece = event.type === 'content' || event.type === 'thought';
    if (isPiece && hasMissed) return;
    const isSent = hearer.offer({ event: 'agent', json: jsonOf(event) });
    hasMissed = isPiece && !isSent;
  });
}

const isToldByFacts = ({ type }: AgentEvent): boolean =>
  type === 'tool_call_request' || type === 'tool_call_confirmation' || type === 'tool_call_response';
