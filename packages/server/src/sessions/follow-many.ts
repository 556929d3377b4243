import { type Followed, type Place, placeText } from '../contract/followed.js';
import { type Problem, problemBody } from '../contract/problems.js';
import { type EventStream, frameOf } from '../http/event-stream.js';
import { type Subscriber, subscriberOn } from '../http/subscriber.js';
import { followInbox } from '../inbox/follow-inbox.js';
import type { Inbox } from '../inbox/inbox.js';
import { followSession, type Sources } from './follow-session.js';

export type ManySources = Sources & { readonly inbox: Inbox };

/**
 * The inbox and some sessions over one connection, since a browser has only six
 * of them to a server. Every id is a cursor for all of them. A
 * session that does not exist, or no longer, is reported as such; the rest continues.
 */
export async function followMany(
  followed: readonly Followed[],
  last: Place | null,
  stream: EventStream,
  sources: ManySources,
): Promise<void> {
  // A client that reconnects sends both: the address it began with, and its cursor.
  const begins = followed.map(({ sessionId, after = -1 }) => ({
    sessionId,
    after: last?.sessions.get(sessionId) ?? after,
  }));
  const known = begins.filter(({ after }) => after >= 0);
  const place = {
    inbox: last?.inbox ?? '',
    sessions: new Map(known.map(({ sessionId, after }) => [sessionId, after])),
  };
  const inboxSubscriber = subscriberOn(stream, ({ event, json, id }) => {
    if (id !== undefined) place.inbox = id;
    return frameOf(event, json, id === undefined ? undefined : placeText(place));
  });
  await Promise.all([
    followInbox(sources.inbox, last && last.inbox !== '' ? last.inbox : null, inboxSubscriber),
    ...begins.map(({ sessionId, after }) =>
      followIfThere(sessionId, after, sessionSubscriber(stream, sessionId, place), sources),
    ),
  ]);
}

/** An event of a session is sent under the id of that session. */
function sessionSubscriber(
  stream: EventStream,
  sessionId: string,
  place: { readonly inbox: string; readonly sessions: Map<string, number> },
): Subscriber {
  const name = JSON.stringify(sessionId);
  return subscriberOn(stream, ({ event, json, id }) => {
    if (id !== undefined) place.sessions.set(sessionId, Number(id));
    return frameOf(
      'session',
      `{"sessionId":${name},"event":"${event}","data":${json}}`,
      id === undefined ? undefined : placeText(place),
    );
  });
}

async function followIfThere(
  sessionId: string,
  after: number,
  subscriber: Subscriber,
  sources: ManySources,
): Promise<void> {
  const refuse = (problem: Problem) =>
    subscriber.send([{ event: 'refused', json: JSON.stringify(problemBody(problem).error) }]);
  const seq = (await sources.journal.session(sessionId))?.seq ?? 0;
  if (seq > 0 && after >= seq) return refuse({ code: 'events_ahead', after, last: seq - 1 });
  if (seq > 0) await followSession(sessionId, after + 1, subscriber, sources);
  // It never existed, or was deleted in the meantime.
  await refuse({ code: 'unknown_session', sessionId });
}
