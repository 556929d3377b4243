import type { AgentEvent } from '@countersign/agent';
import type { Journal } from '@countersign/engine';
import type { Delivery } from '@countersign/protocol';
import { jsonOf } from '../http/event-stream.js';
import type { OutgoingEvent, Subscriber } from '../http/subscriber.js';
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
 * Sends the facts of a session from `fromSeq` on until the client disconnects, each once and in order, while the
 * session is owned by this process, by another one or by none. Ends when the session is deleted.
 */
export async function followSession(
  sessionId: string,
  fromSeq: number,
  subscriber: Subscriber,
  sources: Sources,
): Promise<void> {
  const agent = new AgentListener(subscriber);
  try {
    await followFacts({ sessionId, fromSeq }, subscriber, agent, sources);
  } finally {
    agent.listenTo(null);
  }
}

async function followFacts(
  { sessionId, fromSeq }: { readonly sessionId: string; readonly fromSeq: number },
  subscriber: Subscriber,
  agent: AgentListener,
  { journal, host, changes, pages }: Sources,
): Promise<void> {
  const { over } = subscriber;
  let next = fromSeq;
  const createdAt = (await journal.session(sessionId))?.createdAt ?? null;
  while (!over.aborted) {
    // Before the session is read: a write between reading and waiting is not missed.
    const change = changes.wait(sessionId, over);
    try {
      const info = await journal.session(sessionId);
      // Another session may have its id by now.
      if (info === null || info.createdAt !== createdAt) return;
      const held = host.held(sessionId);
      // Subscribed while older facts are still being sent, too: live output of the model is not repeated.
      agent.listenTo(held ?? null);
      // A client that is behind reads from the store, a page at a time; the session itself has the latest facts.
      if (held && next >= held.session.seq) {
        next = await followHeld(held, next, subscriber);
        continue;
      }
      const sentUntil = await sendPage(sessionId, next, subscriber, pages);
      if (sentUntil === null) return;
      if (sentUntil === next) await change.happened;
      next = sentUntil;
    } finally {
      change.stop();
    }
  }
}

/**
 * Sends the facts of one page. Returns the first fact that was not sent; null if the client disconnected. A function of
 * its own, so that the page is released before the next one is awaited.
 */
async function sendPage(
  sessionId: string,
  fromSeq: number,
  { over, buffers, send }: Subscriber,
  pages: FactPages,
): Promise<number | null> {
  const page = await pages.read(sessionId, fromSeq, buffers, over);
  if (!page) return null;
  try {
    await send(page.facts.map(factEvent));
  } finally {
    page.room.release();
  }
  return (page.facts.at(-1)?.seq ?? fromSeq - 1) + 1;
}

/** As long as this process owns the session. Returns the first fact that was not sent. */
async function followHeld(held: Held, fromSeq: number, subscriber: Subscriber): Promise<number> {
  const { over } = subscriber;
  let next = fromSeq;
  for await (const batch of held.session.events(fromSeq, over))
    for (const delivery of batch) {
      const outgoing = eventOf(delivery);
      // A client without room for a fact reads it from the store later: while it waits, it must not hold what it waits for.
      const { take, tryTake } = subscriber.buffers;
      const room = 'seq' in delivery ? tryTake(outgoing.json.length) : await take(outgoing.json.length, over);
      if (!room) return next;
      try {
        await subscriber.send([outgoing]);
      } finally {
        room.release();
      }
      if ('seq' in delivery) next = delivery.seq + 1;
    }
  return next;
}

const factEvent = ({ seq, json }: WrittenFact): OutgoingEvent => ({ event: 'fact', json, id: String(seq) });

function eventOf(delivery: Delivery): OutgoingEvent {
  if ('live' in delivery) return { event: 'live', json: jsonOf(delivery.live) };
  const { seq, event } = delivery;
  return factEvent({ seq, json: `{"seq":${seq},"event":${jsonOf(event)}}` });
}

/** Live output of the model. A client that misses a piece receives the whole message as a fact, so the rest is omitted. */
class AgentListener {
  readonly #subscriber: Subscriber;
  #held: Held | null = null;
  #stop = () => {};
  #hasMissed = false;

  constructor(subscriber: Subscriber) {
    this.#subscriber = subscriber;
  }

  /** `held`: null while this process does not own the session. */
  listenTo(held: Held | null): void {
    if (held === this.#held) return;
    this.#stop();
    this.#held = held;
    this.#hasMissed = false;
    this.#stop = held === null ? () => {} : held.work.listen((event) => this.#pass(event));
  }

  #pass(event: AgentEvent): void {
    if (isStoredAsFact(event)) return;
    const isPiece = event.type === 'content' || event.type === 'thought';
    if (isPiece && this.#hasMissed) return;
    const isSent = this.#subscriber.offer({ event: 'agent', json: jsonOf(event) });
    this.#hasMissed = isPiece && !isSent;
  }
}

const isStoredAsFact = ({ type }: AgentEvent): boolean =>
  type === 'tool_call_request' || type === 'tool_call_confirmation' || type === 'tool_call_response';
