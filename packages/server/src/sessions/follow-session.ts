import type { AgentEvent } from '@countersign/agent';
import type { Journal } from '@countersign/engine';
import type { Delivery } from '@countersign/protocol';
import { jsonOf } from '../http/event-stream.js';
import type { Hearer, Told } from '../http/hearer.js';
import type { StoreChanges } from '../store/store-changes.js';
import type { FactPages, WrittenFact } from './fact-pages.js';
import type { Held, SessionHost } from './session-host.js';

export type Sources = {
  readonly journal: Journal;
  readonly host: SessionHost;
  readonly changes: StoreChanges;
  readonly pages: FactPages;
};

/**
 * Tells the facts of a session from `fromSeq` on for as long as somebody
 * listens, each once and in order, whichever process owns the session: this process,
 * another one, or nobody, one after the other. Ends when there is no such
 * session any more.
 */
export async function followSession(
  sessionId: string,
  fromSeq: number,
  hearer: Hearer,
  sources: Sources,
): Promise<void> {
  const agent = new AgentListener(hearer);
  try {
    await followFacts({ sessionId, fromSeq }, hearer, agent, sources);
  } finally {
    agent.listenTo(null);
  }
}

async function followFacts(
  { sessionId, fromSeq }: { readonly sessionId: string; readonly fromSeq: number },
  hearer: Hearer,
  agent: AgentListener,
  { journal, host, changes, pages }: Sources,
): Promise<void> {
  const { over } = hearer;
  let next = fromSeq;
  const createdAt = (await journal.session(sessionId))?.createdAt ?? null;
  while (!over.aborted) {
    // From before the look on: what is written between looking and waiting is not missed.
    const change = changes.wait(sessionId, over);
    try {
      const info = await journal.session(sessionId);
      // Another one may bear its id by now.
      if (info === null || info.createdAt !== createdAt) return;
      const held = host.held(sessionId);
      // Also while facts are still being caught up with: what a model says right now is not said again.
      agent.listenTo(held ?? null);
      // Who is behind reads from the store, a page at a time, as there is room; a session has the latest at hand.
      if (held && next >= held.session.seq) {
        next = await followHeld(held, next, hearer);
        continue;
      }
      const sentUntil = await sendPage(sessionId, next, hearer, pages);
      if (sentUntil === null) return;
      if (sentUntil === next) await change.happened;
      next = sentUntil;
    } finally {
      change.stop();
    }
  }
}

/**
 * Sends the facts of one page. Gives the first fact that was not sent; null if the client is gone. A function of its own,
 * so that the page is let go before the next one is waited for.
 */
async function sendPage(
  sessionId: string,
  fromSeq: number,
  { over, buffers, send }: Hearer,
  pages: FactPages,
): Promise<number | null> {
  const page = await pages.read(sessionId, fromSeq, buffers, over);
  if (!page) return null;
  try {
    await send(page.facts.map(toldFact));
  } finally {
    page.room.release();
  }
  return (page.facts.at(-1)?.seq ?? fromSeq - 1) + 1;
}

/** As long as this process works on it. Gives the first fact that was not sent. */
async function followHeld(held: Held, fromSeq: number, hearer: Hearer): Promise<number> {
  const { over } = hearer;
  let next = fromSeq;
  for await (const batch of held.session.events(fromSeq, over))
    for (const delivery of batch) {
      const told = toldOf(delivery);
      // A client without room for a fact reads it from the store later: while it waits, it must not hold what it waits for.
      const { take, tryTake } = hearer.buffers;
      const room = 'seq' in delivery ? tryTake(told.json.length) : await take(told.json.length, over);
      if (!room) return next;
      try {
        await hearer.send([told]);
      } finally {
        room.release();
      }
      if ('seq' in delivery) next = delivery.seq + 1;
    }
  return next;
}

const toldFact = ({ seq, json }: WrittenFact): Told => ({ event: 'fact', json, id: String(seq) });

function toldOf(delivery: Delivery): Told {
  if ('live' in delivery) return { event: 'live', json: jsonOf(delivery.live) };
  const { seq, event } = delivery;
  return toldFact({ seq, json: `{"seq":${seq},"event":${jsonOf(event)}}` });
}

/** What a model says, as it says it. A client that misses a piece gets the whole as a fact, so the rest is omitted. */
class AgentListener {
  readonly #hearer: Hearer;
  #held: Held | null = null;
  #stop = () => {};
  #hasMissed = false;

  constructor(hearer: Hearer) {
    this.#hearer = hearer;
  }

  /** Of the session as this process holds it now; null where it does not. */
  listenTo(held: Held | null): void {
    if (held === this.#held) return;
    this.#stop();
    this.#held = held;
    this.#hasMissed = false;
    this.#stop = held === null ? () => {} : held.work.listen((event) => this.#pass(event));
  }

  #pass(event: AgentEvent): void {
    if (isToldByFacts(event)) return;
    const isPiece = event.type === 'content' || event.type === 'thought';
    if (isPiece && this.#hasMissed) return;
    const isSent = this.#hearer.offer({ event: 'agent', json: jsonOf(event) });
    this.#hasMissed = isPiece && !isSent;
  }
}

const isToldByFacts = ({ type }: AgentEvent): boolean =>
  type === 'tool_call_request' || type === 'tool_call_confirmation' || type === 'tool_call_response';
