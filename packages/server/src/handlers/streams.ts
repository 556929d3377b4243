import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { followedIn, type Place, placeIn } from '../contract/followed.js';
import { invalidInput, Refusal } from '../contract/problems.js';
import type { PersonBuffers } from '../http/buffers.js';
import { type EventStream, inPieces, type StreamLimits } from '../http/event-stream.js';
import { subscriberOn } from '../http/subscriber.js';
import type { WrittenFact } from '../sessions/fact-pages.js';
import { followMany } from '../sessions/follow-many.js';
import { followSession } from '../sessions/follow-session.js';
import { requireSession } from '../sessions/require-session.js';
import { type Handlers, type Parts, SENT } from './handler.js';

/** More than a user watches at once; each costs the server a reader. */
const SESSIONS_PER_STREAM = 16;

/** An export for which there is no buffer space by then is refused. */
const FIRST_PAGE_MS = 2_000;

export function streamHandlers(parts: Parts, { slowClientMs }: StreamLimits) {
  return {
    followSession: async ({ parameters: { sessionId }, query, exchange }) => {
      // A browser that reconnects sends both: the address it began with, and its cursor.
      const after = lastSeq(exchange.request) ?? query.after ?? -1;
      const last = (await requireSession(parts.journal, sessionId)).seq - 1;
      if (after > last) throw new Refusal({ code: 'events_ahead', after, last });
      return during(exchange.openStream(), (stream) =>
        followSession(sessionId, after + 1, subscriberOn(stream), parts),
      );
    },

    follow: async ({ query, exchange }) => {
      const followed = followedIn(query.sessions ?? '');
      if (!followed || followed.length > SESSIONS_PER_STREAM)
        throw invalidInput(`sessions is not a list of at most ${SESSIONS_PER_STREAM} ids, each once`);
      const place = lastPlace(exchange.request);
      return during(exchange.openStream(), (stream) => followMany(followed, place, stream, parts));
    },

    exportSession: async ({ parameters: { sessionId }, exchange: { response, buffers, gone } }) => {
      const pieces = exported(sessionId, buffers, gone);
      try {
        // Waits for the first page before the headers are sent: a refusal or failure here is an ordinary response.
        await pieces.next();
        if (gone.aborted) return SENT;
        response.writeHead(200, { 'content-type': 'application/x-ndjson' });
        response.setTimeout(slowClientMs, () => response.destroy());
        await pipeline(pieces, response);
      } catch (thrown) {
        if (!isAboutReader(thrown)) throw thrown;
      } finally {
        await pieces.return();
      }
      return SENT;
    },
  } satisfies Partial<Handlers>;

  async function* exported(
    sessionId: string,
    buffers: PersonBuffers,
    over: AbortSignal,
  ): AsyncGenerator<Buffer, void, void> {
    for (let next: number | null = 0; next !== null; )
      next = yield* exportedPage(sessionId, next, buffers, over);
  }

  /**
   * Nothing once the first page is read, then the facts of a page; returns the first fact after it, null at the end. A
   * function of its own, so that the page is released before the next one is awaited.
   */
  async function* exportedPage(
    sessionId: string,
    fromSeq: number,
    buffers: PersonBuffers,
    over: AbortSignal,
  ): AsyncGenerator<Buffer, number | null, void> {
    const isFirst = fromSeq === 0;
    const signal = isFirst ? AbortSignal.any([over, AbortSignal.timeout(FIRST_PAGE_MS)]) : over;
    const page = await parts.pages.read(sessionId, fromSeq, buffers, signal);
    if (!page && isFirst && !over.aborted) throw new Refusal({ code: 'too_much_unread' });
    if (!page) return null;
    try {
      if (isFirst) yield Buffer.alloc(0);
      // Asked for one by one, each when the client has taken the one before.
      yield* inPieces(linesOf(page.facts));
      const last = page.facts.at(-1);
      return last ? last.seq + 1 : null;
    } finally {
      page.room.release();
    }
  }
}

function* linesOf(facts: readonly WrittenFact[]): Generator<string> {
  for (const { json } of facts) yield `${json}\n`;
}

/** The client disconnected, or was disconnected: not an error of the server. */
const isAboutReader = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && String(thrown.code).startsWith('ERR_STREAM_');

async function during(
  stream: EventStream,
  follow: (stream: EventStream) => Promise<void>,
): Promise<typeof SENT> {
  try {
    await follow(stream);
  } finally {
    stream.end();
  }
  return SENT;
}

const lastEventId = ({ headers }: IncomingMessage): string | null => {
  const id = headers['last-event-id'];
  return typeof id === 'string' && id !== '' ? id : null;
};

function lastSeq(request: IncomingMessage): number | null {
  const id = lastEventId(request);
  if (id === null) return null;
  if (/^\d{1,15}$/.test(id)) return Number(id);
  throw invalidInput('Last-Event-ID is not the number of an event');
}

function lastPlace(request: IncomingMessage): Place | null {
  const id = lastEventId(request);
  const place = id === null ? null : placeIn(id);
  if (id !== null && !place) throw invalidInput('Last-Event-ID does not belong to this stream');
  return place;
}
