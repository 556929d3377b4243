import { FACTS_PER_PAGE, JournalError, orDamage, readPage } from '@countersign/engine';
import { callIdOf, type Event } from '@countersign/protocol';
import { invalidCursor } from '../contract/problems.js';
import { CHARS_PER_PAGE } from '../sessions/fact-pages.js';
import type { ServedSessions } from '../sessions/served-workspaces.js';
import type { Handlers, Parts } from './handler.js';

const FACTS_PER_ANSWER = 100;
/** An answer with more than this ends there; the rest is on the next page. */
const CHARS_PER_ANSWER = 1_000_000;
/** Facts read for one page: a rare kind is found over several pages, and other requests are not delayed. */
const LOOKED_THROUGH_MAX = 4 * FACTS_PER_PAGE;
/** The same in pages, each of which is limited in characters. */
const PAGES_LOOKED_THROUGH_MAX = 64;

type Filter = { readonly type?: string; readonly callId?: string; readonly by?: string };

/** In the place of a session: the store's own events about sessions that were deleted. No session has this id. */
const DELETIONS = '\0deletions';

export function auditHandlers({ journal, served: workspaces }: Parts) {
  return {
    listFacts: async ({ query: { limit = FACTS_PER_ANSWER, cursor, sessionId, ...filter }, scope }) => {
      const sessions = [DELETIONS, ...(await sessionsToLookThrough(sessionId, scope))];
      const deletions = await workspaces.deletions(sessionId);
      const read = async (each: string, next: number) =>
        each === DELETIONS
          ? deletions.map((event, seq) => ({ seq, event })).slice(next)
          : readPage(journal, each, next, CHARS_PER_PAGE);
      const start = cursor === undefined ? null : readCursor(cursor);
      const first = start === null ? 0 : sessions.indexOf(start.sessionId);
      const facts = [];
      let left = LOOKED_THROUGH_MAX;
      let pagesLeft = PAGES_LOOKED_THROUGH_MAX;
      let charsLeft = CHARS_PER_ANSWER;
      const isEnough = () => facts.length >= limit || charsLeft <= 0;
      for (const each of first < 0 ? [] : sessions.slice(first)) {
        let next = each === start?.sessionId ? start.next : 0;
        for (;;) {
          if (isEnough() || left <= 0 || pagesLeft <= 0) return { facts, next: cursorOf(each, next) };
          const found = await orDamage(() => read(each, next));
          // A search through all sessions goes on with the next one; lists of sessions name the damaged one.
          if (!found.ok && sessionId === undefined) break;
          if (!found.ok) throw new JournalError(found.failure);
          const page = found.value;
          if (page.length === 0) break;
          pagesLeft--;
          for (const fact of page) {
            if (isEnough()) break;
            next = fact.seq + 1;
            left--;
            if (!matches(fact.event, filter)) continue;
            const { event } = fact;
            facts.push({ sessionId: event.type === 'session.deleted' ? event.sessionId : each, ...fact });
            charsLeft -= JSON.stringify(fact.event).length;
          }
        }
      }
      return { facts, next: null };
    },
  } satisfies Partial<Handlers>;

  /** Ordered by creation, which does not change between two pages. */
  async function sessionsToLookThrough(
    sessionId: string | undefined,
    served: ServedSessions,
  ): Promise<readonly string[]> {
    if (sessionId !== undefined) return (await journal.session(sessionId)) ? [sessionId] : [];
    const sessions = (await journal.list()).filter((each) => each.seq > 0 && served.has(each.sessionId));
    return sessions
      .sort((a, b) => b.createdAt - a.createdAt || (a.sessionId < b.sessionId ? -1 : 1))
      .map((each) => each.sessionId);
  }
}

const cursorOf = (sessionId: string, next: number): string => `${next} ${sessionId}`;

function readCursor(cursor: string): { readonly sessionId: string; readonly next: number } {
  const read = /^(\d{1,15}) (.+)$/s.exec(cursor);
  if (!read?.[2]) throw invalidCursor();
  return { sessionId: read[2], next: Number(read[1]) };
}

const matches = (event: Event, { type, callId, by }: Filter): boolean =>
  (type === undefined || event.type === type || event.type.startsWith(`${type}.`)) &&
  (callId === undefined || callIdOf(event) === callId) &&
  (by === undefined || personOf(event) === by);

/** The user or program that caused the event; null if none did. */
function personOf(event: Event): string | null {
  switch (event.type) {
    case 'call.answered':
      return event.answer.by;
    case 'call.granted':
      return event.permit.by.type === 'person' ? event.permit.by.who : null;
    case 'call.aborting':
    case 'call.cancelled':
      return 'by' in event.reason ? event.reason.by : null;
    case 'grant.added':
      return event.grant.by;
    case 'message.added':
      return event.message.role === 'user' ? event.message.by : null;
    default:
      return 'by' in event ? event.by : null;
  }
}
