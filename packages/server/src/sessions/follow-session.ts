import type { AgentEvent } from '@countersign/agent';
import type { Delivery, Journal, Recorded } from '@countersign/engine';
import type { EventStream } from '../http/event-stream.js';
import { frameOf } from '../http/event-stream.js';
import type { StoreChanges } from '../inbox/store-changes.js';
import { FACTS_PER_READ } from '../limits.js';
import type { Held, SessionHost } from './session-host.js';

export type Sources = {
  readonly journal: Journal;
  readonly host: SessionHost;
  readonly changes: StoreChanges;
};

/**
 * Sends the facts of a session from `fromSeq` on for as long as the client
 * listens, each once and in order, whoever works on the session: this process,
 * another one, or nobody, one after the other.
 */
export async function followSession(
  sessionId: string,
  fromSeq: number,
  stream: EventStream,
  { journal, host, changes }: Sources,
): Promise<void> {
  const { over } = stream;
  let next = fromSeq;
  const send = async (batch: readonly Delivery[]) => {
    const last = batch.findLast((delivery) => 'seq' in delivery);
    if (last && 'seq' in last) next = last.seq + 1;
    for (let from = 0; from < batch.length; from += FRAMES_PER_WRITE)
      await stream.send(
        batch
          .slice(from, from + FRAMES_PER_WRITE)
          .map(deliveryFrame)
          .join(''),
      );
  };
  while (!over.aborted) {
    const held = host.held(sessionId);
    // Who is far behind reads from the store, a page at a time; a session hands out all there is at once.
    if (held && held.session.seq - next <= FACTS_PER_READ) {
      const stopHearing = hearAgent(held, stream);
      for await (const batch of held.session.events(next, over)) await send(batch);
      stopHearing();
      continue;
    }
    // From before the look on: what is written between looking and waiting is not missed.
    const change = changes.wait(sessionId, over);
    try {
      const facts = await readOn(journal, sessionId, next);
      if (facts === null) return;
      if (facts.length > 0) await send(facts);
      else await change.happened;
    } finally {
      change.stop();
    }
  }
}

/** A client need not wait long for the first of many. */
const FRAMES_PER_WRITE = 64;

/** Null if there is no such session any more. */
async function readOn(
  journal: Journal,
  sessionId: string,
  next: number,
): Promise<readonly Recorded[] | null> {
  return (await journal.session(sessionId)) === null ? null : journal.read(sessionId, next, FACTS_PER_READ);
}

function deliveryFrame(delivery: Delivery): string {
  return 'live' in delivery ? frameOf('live', delivery.live) : factFrame(delivery);
}

/** Many may follow one session: what all are sent is spelled out once. */
const frames = new WeakMap<object, string>();

function factFrame({ seq, event }: Recorded): string {
  const known = frames.get(event);
  if (known !== undefined) return known;
  const frame = frameOf('fact', { seq, event }, seq);
  frames.set(event, frame);
  return frame;
}

/** What a model says, as it says it. A client that misses a piece gets the whole as a fact, so the rest is left out. */
function hearAgent({ work }: Held, stream: EventStream): () => void {
  let hasMissed = false;
  return work.listen((event) => {
    if (isToldByFacts(event)) return;
    const isPiece = event.type === 'content' || event.type === 'thought';
    if (isPiece && hasMissed) return;
    const isSent = stream.offer(frameOf('agent', event));
    hasMissed = isPiece && !isSent;
  });
}

const isToldByFacts = ({ type }: AgentEvent): boolean =>
  type === 'tool_call_request' || type === 'tool_call_confirmation' || type === 'tool_call_response';
