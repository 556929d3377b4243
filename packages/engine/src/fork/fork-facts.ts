import type { Event } from '@countersign/protocol';
import type { Recorded } from '../journal/index.js';

export type ForkPoint =
  | { readonly type: 'end' }
  | { readonly type: 'call'; readonly callId: string }
  | { readonly type: 'message'; readonly id: number };

export type FactsToFork =
  | { readonly ok: true; readonly events: readonly Event[]; readonly lastTurn: number }
  /** 'unknown': there is no such call or message. 'open': the turn that it belongs to is not over. */
  | { readonly ok: false; readonly why: 'unknown' | 'open' };

/**
 * The facts that another session may begin with: those up to a point, and whole
 * turns only, so that every call in them has its one result and nothing waits
 * or runs. Grants are not a part of what was said and done: those for the
 * session stay with it, those beyond it are in force anyway. What the session
 * was opened with is: a copy must not run what the original would not.
 */
export function forkFacts(recorded: readonly Recorded[], point: ForkPoint): FactsToFork {
  const open = new Set<number>();
  let named = point.type === 'end';
  let isReached = false;
  let end = 0;
  let lastTurn = 0;
  let turnAtEnd = 0;
  for (const [index, { event }] of recorded.entries()) {
    if (event.type === 'turn.started') open.add(event.turn);
    if (event.type === 'turn.ended') {
      open.delete(event.turn);
      lastTurn = event.turn;
    }
    if (isNamed(event, point)) {
      // An id may come again in a later turn: the last one is meant.
      named = true;
      isReached = false;
    }
    if (open.size > 0 || isReached) continue;
    end = index + 1;
    turnAtEnd = lastTurn;
    isReached = named && point.type !== 'end';
  }
  if (!named) return { ok: false, why: 'unknown' };
  if (point.type !== 'end' && !isReached) return { ok: false, why: 'open' };
  const events = recorded.slice(0, end).map(({ event }) => event);
  return {
    ok: true,
    events: bound(
      events.filter(({ type }) => !staysBehind(type)),
      recorded,
    ),
    lastTurn: turnAtEnd,
  };
}

/** Opened last with what the source was opened with last, even where that was after the point: a copy is no way around it. */
function bound(events: readonly Event[], source: readonly Recorded[]): readonly Event[] {
  const setup = source
    .flatMap(({ event }) => (event.type === 'session.opened' && event.setup ? [event.setup] : []))
    .at(-1);
  const at = events.findLastIndex(({ type }) => type === 'session.opened');
  return events.map((event, index) =>
    index === at && event.type === 'session.opened' && setup ? { ...event, setup } : event,
  );
}

function isNamed(event: Event, point: ForkPoint): boolean {
  if (event.type === 'call.requested') return point.type === 'call' && event.request.callId === point.callId;
  return event.type === 'message.added' && point.type === 'message' && event.message.id === point.id;
}

/** Grants, and commands that the source recognises: a command to the copy is another one. */
const staysBehind = (type: Event['type']): boolean =>
  type === 'grant.added' || type === 'grant.revoked' || type === 'command.accepted';
