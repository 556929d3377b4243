import { EVENT_KINDS, isEventType } from '@countersign/protocol';
import type { Db } from '../database/open-database.js';
import { fromKey } from '../database/row-key.js';
import { readChain } from './chain.js';
import { checkedAppend, latestWith, listIn } from './checked-append.js';

/** What the facts say of a call that the view lists as waiting. `T` is a question as it is shown. */
export type Asked<T> =
  | { readonly type: 'waits'; readonly row: T }
  /** It was asked about, and waits no more. */
  | { readonly type: 'over' }
  /** The facts know of no question about it, so that nothing can come of an answer. */
  | { readonly type: 'unasked' };

/**
 * What is shown of a question comes from the facts, and not from the row that
 * finds it: a person agrees to what they see, and the facts are what runs. Only
 * the records from the request of the call on are read, and all of these are checked.
 */
export class AskedQuestions<T> {
  /** By session: what was found under the hash of its last record. */
  readonly #known = new Map<string, { readonly head: string; readonly asked: Map<string, Asked<T>> }>();

  /** `head`: the hash of the last record of the session now. */
  of(db: Db, waiting: { session: string; call: string; head: string }, read: (row: object) => T): Asked<T> {
    const { session, call, head } = waiting;
    let known = this.#known.get(session);
    if (known?.head !== head) {
      known = { head, asked: new Map() };
      if (this.#known.size >= SESSIONS_KNOWN_MAX) this.#known.clear();
      this.#known.set(session, known);
    }
    const found = known.asked.get(call) ?? toRow(askedIn(db, session, fromKey(call)), read);
    known.asked.set(call, found);
    return found;
  }
}

/** Each takes a few KB; more sessions than this rarely wait at once, and are then read again. */
const SESSIONS_KNOWN_MAX = 2_000;

const toRow = <T>(asked: Asked<object>, read: (row: object) => T): Asked<T> =>
  asked.type === 'waits' ? { type: 'waits', row: read(asked.row) } : asked;

function askedIn(db: Db, session: string, callId: string): Asked<object> {
  const from = latestWith(db, session, requestOf(callId));
  const found = questionFrom(db, session, from ?? 0, callId);
  // What only looked like the request of the call is no place to begin at.
  return found.type === 'unasked' && from !== null ? questionFrom(db, session, 0, callId) : found;
}

/** How the request of a call begins in a record. */
const requestOf = (callId: string): string =>
  `"call.requested","request":{"callId":${JSON.stringify(callId)},`;

/** The question that a call waits with, as the view would have it: the reader checks its shape. */
function questionFrom(db: Db, session: string, fromSeq: number, callId: string): Asked<object> {
  const shown = { sessionId: fromKey(session), callId };
  let tool: unknown;
  let planned: Stored = {};
  let asked: Asked<object> = { type: 'unasked' };
  for (const { body } of readChain(db, session, fromSeq) ?? []) {
    for (const event of eventsAbout(callId, body)) {
      const { type } = event;
      if (type === 'call.requested') {
        tool = partsOf(event['request'])['name'];
        asked = { type: 'unasked' };
      }
      if (type === 'call.planned' || type === 'call.blocked') planned = event;
      const does = isEventType(type) ? EVENT_KINDS[type].question : 'unchanged';
      if (does === 'raised') {
        const { plan, verdict } = planned;
        const { question } = event;
        asked = { type: 'waits', row: { ...shown, tool, title: partsOf(plan)['title'], question, verdict } };
      }
      if (does === 'settled' && asked.type === 'waits') asked = { type: 'over' };
    }
  }
  return asked;
}

/** What the facts say was answered last about this call, as stored; 'unknown' where they know nothing of the call. */
export function answerIn(db: Db, session: string, callId: string): unknown {
  const at = latestWith(db, session, `"call.answered","callId":${JSON.stringify(callId)},`);
  if (at === null) return latestWith(db, session, requestOf(callId)) === null ? 'unknown' : null;
  const events = eventsAbout(callId, checkedAppend(db, session, at));
  return events.findLast(({ type }) => type === 'call.answered')?.['answer'] ?? null;
}

type Stored = { readonly [part: string]: unknown };

/** The parts of an object as it was stored; none of what is no object. */
const partsOf = (value: unknown): Stored => (typeof value === 'object' && value !== null ? { ...value } : {});

const eventsAbout = (callId: string, body: string): readonly Stored[] =>
  listIn(body)
    .map(partsOf)
    .filter(({ callId: about, request }) => (about ?? partsOf(request)['callId']) === callId);
