import type { Event } from '@countersign/protocol';
import { readChain } from './chain.js';
import { checkedAppend, latestWith, listIn } from './checked-append.js';
import { text } from './columns.js';
import type { ParsedEvent } from './event-schema.js';
import type { AnsweredRow, ApprovalRow } from './journal.js';
import { type Db, DbError } from './open-database.js';
import { fromKey } from './row-key.js';

/** What the facts say of a call that the view lists as waiting. */
export type Asked =
  | { readonly type: 'waits'; readonly row: ApprovalRow }
  /** It was asked about, and waits no more. */
  | { readonly type: 'over' }
  /** The facts know of no question about it, so that nothing can come of an answer. */
  | { readonly type: 'unasked' };

type Parse = (stored: unknown) => ParsedEvent;

/**
 * What is shown of a question comes from the facts, and not from the row that
 * finds it: a person agrees to what they see, and the facts are what runs. Only
 * the records from the request of the call on are read, and all of these are checked.
 */
export class AskedQuestions {
  /** By session: what was found under the hash of its last record. */
  readonly #known = new Map<string, { readonly head: string; readonly asked: Map<string, Asked> }>();

  of(db: Db, session: string, call: string, parse: Parse): Asked {
    const [row] = db.all('SELECT head_hash FROM sessions WHERE id = ?', session);
    const head = row ? text(row, 'head_hash') : '';
    let known = this.#known.get(session);
    if (known?.head !== head) {
      known = { head, asked: new Map() };
      if (this.#known.size >= SESSIONS_KNOWN_MAX) this.#known.clear();
      this.#known.set(session, known);
    }
    const found = known.asked.get(call) ?? askedIn(db, session, fromKey(call), parse);
    known.asked.set(call, found);
    return found;
  }
}

/** Each takes a few KB; more sessions than this rarely wait at once, and are then read again. */
const SESSIONS_KNOWN_MAX = 2_000;

function askedIn(db: Db, session: string, callId: string, parse: Parse): Asked {
  const from = latestWith(db, session, `"call.requested","request":{"callId":${JSON.stringify(callId)},`);
  const found = questionFrom(db, session, from ?? 0, callId, parse);
  // What only looked like the request of the call is no place to begin at.
  return found.type === 'unasked' && from !== null ? questionFrom(db, session, 0, callId, parse) : found;
}

function questionFrom(db: Db, session: string, fromSeq: number, callId: string, parse: Parse): Asked {
  const appends = readChain(db, session, fromSeq) ?? [];
  let shown: Pick<ApprovalRow, 'tool' | 'title' | 'verdict'> | null = null;
  let tool = '';
  let asked: Asked = { type: 'unasked' };
  for (const event of eventsOf(appends, callId, session, parse)) {
    switch (event.type) {
      case 'call.requested':
        tool = event.request.name;
        asked = { type: 'unasked' };
        break;
      case 'call.planned':
        shown = { tool, title: event.plan.title, verdict: event.verdict };
        break;
      case 'call.blocked':
        shown = { tool, title: event.plan.title, verdict: event.verdict };
        asked = waiting(shown, event, session, callId);
        break;
      case 'call.asked':
        if (shown) asked = waiting(shown, event, session, callId);
        break;
      case 'call.answered':
      case 'call.rewritten':
      case 'call.granted':
      case 'call.succeeded':
      case 'call.failed':
      case 'call.cancelled':
        if (asked.type === 'waits') asked = { type: 'over' };
        break;
      default:
    }
  }
  return asked;
}

const waiting = (
  shown: Pick<ApprovalRow, 'tool' | 'title' | 'verdict'>,
  { question }: Pick<ApprovalRow, 'question'>,
  session: string,
  callId: string,
): Asked => {
  const { tool, title, verdict } = shown;
  return { type: 'waits', row: { sessionId: fromKey(session), callId, tool, title, question, verdict } };
};

/** What the facts say was answered last about this call; 'unknown' where they know nothing of the call. */
export function answerIn(
  db: Db,
  session: string,
  callId: string,
  parse: Parse,
): AnsweredRow | null | 'unknown' {
  const id = JSON.stringify(callId);
  const at = latestWith(db, session, `"call.answered","callId":${id},`);
  if (at === null)
    return latestWith(db, session, `"call.requested","request":{"callId":${id},`) === null ? 'unknown' : null;
  const events = eventsOf([{ body: checkedAppend(db, session, at) }], callId, session, parse);
  for (const event of events.toReversed()) {
    if (event.type !== 'call.answered') continue;
    const { digest, outcome, by, at: when, key } = event.answer;
    return { digest, outcome, by, at: when, key };
  }
  return null;
}

function eventsOf(
  appends: readonly { readonly body: string }[],
  callId: string,
  session: string,
  parse: Parse,
): readonly Event[] {
  return appends.flatMap(({ body }) =>
    listIn(body)
      .filter((stored) => isAbout(stored, callId))
      .map((stored) => {
        const parsed = parse(stored);
        if (parsed.ok) return parsed.event;
        throw new DbError(
          'corrupt',
          `in session ${fromKey(session)}, a record of ${callId} can not be read: ${parsed.problem}`,
        );
      }),
  );
}

function isAbout(stored: unknown, callId: string): boolean {
  if (typeof stored !== 'object' || stored === null) return false;
  if ('callId' in stored) return stored.callId === callId;
  if (!('request' in stored) || typeof stored.request !== 'object' || stored.request === null) return false;
  return 'callId' in stored.request && stored.request.callId === callId;
}
