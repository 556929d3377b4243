import { type CancelReason, type Event, isSettled, type ToolCall } from '@countersign/protocol';
import type { Circumstances, InputOf } from '../state/input.js';
import { type Session, turnOf } from '../state/session.js';
import { type Decision, facts, refuse } from './decision.js';
import { cancelled } from './endings.js';

/** Cancels one call, a turn or everything. A running call is signalled, and ends when it has stopped. */
export function decideCancel(session: Session, input: InputOf<'cancel'>): Decision {
  const { target, by, at } = input;
  const reason: CancelReason = { type: 'aborted', by };
  switch (target.type) {
    case 'call': {
      const call = session.calls.get(target.callId);
      if (!call) return refuse({ code: 'unknown_call', callId: target.callId });
      if (isSettled(call))
        return refuse({ code: 'already_settled', callId: target.callId, status: call.status });
      return facts(stop(call, reason, at));
    }
    case 'turn': {
      const turn = turnOf(session, target.turn);
      if (!turn) return refuse({ code: 'unknown_turn', turn: target.turn });
      return facts(turn.ids.flatMap((id) => stop(session.calls.get(id), reason, at)));
    }
    case 'all':
      return facts(Array.from(session.calls.values(), (call) => stop(call, reason, at)).flat());
  }
}

export function decideRevoke(
  session: Session,
  input: InputOf<'revoke-grant'>,
  { grants }: Circumstances,
): Decision {
  const { grantId, by, at } = input;
  const known = grants.has(grantId) || session.added.some((grant) => grant.id === grantId);
  if (!known || session.revoked.has(grantId)) return refuse({ code: 'unknown_grant', grantId });
  return facts([{ type: 'grant.revoked', grantId, by, at }, ...withdraw(session, [grantId], at)]);
}

/** Another process revoked grants: what they allowed here and has not started does not start. */
export const decideGrantsGone = (session: Session, input: InputOf<'grants-gone'>): Decision =>
  facts(withdraw(session, input.grantIds, input.at));

/** Calls that were let through by these grants and have not started. */
export function withdraw(session: Session, grantIds: readonly string[], at: number): Event[] {
  const events: Event[] = [];
  for (const call of session.calls.values()) {
    if (call.status !== 'scheduled' || call.permit.by.type !== 'grant') continue;
    const { grantId } = call.permit.by;
    if (!grantIds.includes(grantId)) continue;
    const reason = { type: 'grant_revoked', grantId } as const;
    events.push(cancelled(call, reason, at));
  }
  return events;
}

/** A run is over: what it requested and still waits, such as a question to the user, ends with it. */
export function withdrawNested(
  session: Session,
  { callId, turn }: { readonly callId: string; readonly turn: number },
  at: number,
): Event[] {
  const nested = turnOf(session, turn)?.nested ?? [];
  return nested.flatMap((id) => {
    const call = session.calls.get(id);
    return call?.request.within === callId ? withdrawn(call, at) : [];
  });
}

/** What a running call requested and no longer wants. */
export const withdrawn = (call: ToolCall | undefined, at: number): Event[] =>
  call?.request.within ? stop(call, { type: 'withdrawn' }, at) : [];

function stop(call: ToolCall | undefined, reason: CancelReason, at: number): Event[] {
  if (!call || isSettled(call)) return [];
  if (call.status !== 'executing') return [cancelled(call, reason, at)];
  return call.aborting ? [] : [{ type: 'call.aborting', callId: call.request.callId, reason, at }];
}
