import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { EventStream } from '../http/event-stream.js';
import { followInbox } from '../inbox/follow-inbox.js';
import { Refusal } from '../problems.js';
import { followSession } from '../sessions/follow-session.js';
import { readFacts } from '../sessions/read-facts.js';
import { type Handlers, type Parts, SENT } from './handler.js';

export function streamHandlers(parts: Parts): Handlers<'followSession' | 'followInbox' | 'exportSession'> {
  const { journal, inbox } = parts;
  return {
    followSession: async ({ parameters: { sessionId }, query, exchange }) => {
      // A browser that comes back sends both: the address it began with, and how far it got.
      const after = lastSeq(exchange.request) ?? query.after ?? -1;
      const last = (await requireSession(sessionId)) - 1;
      if (after > last) throw new Refusal({ code: 'events_ahead', after, last });
      return during(exchange.openStream(), (stream) => followSession(sessionId, after + 1, stream, parts));
    },

    followInbox: async ({ exchange }) =>
      during(exchange.openStream(), (stream) => followInbox(inbox, lastEventId(exchange.request), stream)),

    exportSession: async ({ parameters: { sessionId }, exchange: { response } }) => {
      await requireSession(sessionId);
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      for await (const page of readFacts(journal, sessionId)) {
        const lines = page.map((fact) => `${JSON.stringify(fact)}\n`).join('');
        if (!response.write(lines)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
        if (response.destroyed) break;
      }
      response.end();
      return SENT;
    },
  };

  /** How many facts it has. */
  async function requireSession(sessionId: string): Promise<number> {
    const info = await journal.session(sessionId);
    if (!info || info.seq === 0) throw new Refusal({ code: 'unknown_session', sessionId });
    return info.seq;
  }
}

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
  throw new Refusal({ code: 'invalid_input', problems: ['Last-Event-ID is not the number of a fact'] });
}
