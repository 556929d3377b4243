import {
  type CancelReason,
  type Event,
  isSettled,
  type Message,
  type ModelMessage,
  type UserMessage,
} from '@countersign/protocol';
import { type Decision, facts, refuse } from './decision.js';
import type { Circumstances, InputOf } from './input.js';
import { carryOut, judge } from './judge.js';
import { freeId, toRequest } from './requests.js';
import { type Session, turnOf } from './session.js';

/** A call comes while its model still speaks: it is planned and judged from now on, and nothing more. */
export function decideStreamCall(session: Session, input: InputOf<'stream.call'>): Decision {
  const { call, at, start } = input;
  const events: Event[] = [];
  const turn = input.turn ?? session.lastTurn + 1;
  const open = turnOf(session, turn);
  if (input.turn === null) {
    events.push({ type: 'turn.started', turn, at, start, attended: input.attended ? 'somebody' : 'nobody' });
  } else if (!open || open.sealed) return refuse({ code: 'unknown_turn', turn });
  const callId = freeId(call.wireId, (id) => session.calls.has(id));
  events.push({ type: 'call.requested', request: toRequest(call, callId, turn, open?.ids.length ?? 0, at) });
  const { failure } = call;
  if (failure) events.push({ type: 'call.failed', callId, failure, partial: null, at });
  return facts(events);
}

/** The answer is complete. What was judged meanwhile is carried out now, by what policy says now. */
export function decideStreamEnded(
  session: Session,
  input: InputOf<'stream.ended'>,
  circumstances: Circumstances,
): Decision {
  const { at, message } = input;
  const said: Event[] = message ? [{ type: 'message.added', message: messageOf(session, message, at) }] : [];
  if (input.turn === null) return facts(said);
  const turn = turnOf(session, input.turn);
  if (!turn || turn.sealed) return refuse({ code: 'unknown_turn', turn: input.turn });
  // What its own calls take of a grant is taken for those after them.
  const asSealed: Session = { ...session, claims: [...session.claims] };
  const carriedOut = turn.ids.flatMap((callId): readonly Event[] => {
    const call = session.calls.get(callId);
    if (call?.status !== 'validating' || call.step !== 'judged') return [];
    const { request, plan, advice } = call;
    const planned = input.planned.get(callId);
    if (planned?.plan.digest !== plan.digest) {
      const failure = { code: 'plan_failed', name: request.name, message: 'Its plan was lost.' } as const;
      return [{ type: 'call.failed', callId, failure, partial: null, at }];
    }
    const judgement = judge(asSealed, request, plan, at, circumstances, advice);
    if (judgement.type === 'permitted' && judgement.by.type === 'grant')
      asSealed.claims.push(judgement.by.grantId);
    return carryOut(judgement, session, request, planned, at, circumstances);
  });
  return facts([...said, { type: 'turn.sealed', turn: input.turn }, ...carriedOut]);
}

export function decideStreamBroke(session: Session, input: InputOf<'stream.broke'>): Decision {
  const turn = turnOf(session, input.turn);
  if (!turn || turn.sealed) return refuse({ code: 'unknown_turn', turn: input.turn });
  return facts(brokenOff(session, input.turn, { type: 'aborted', by: input.by }, input.at));
}

/** A turn whose model never came to its end: nothing of it is carried out. */
export function brokenOff(session: Session, number: number, reason: CancelReason, at: number): Event[] {
  const ids = turnOf(session, number)?.ids ?? [];
  const cancelled = ids.flatMap((callId): Event[] => {
    const call = session.calls.get(callId);
    return call && !isSettled(call) ? [{ type: 'call.cancelled', callId, reason, partial: null, at }] : [];
  });
  return [{ type: 'turn.sealed', turn: number }, ...cancelled];
}

export const messageOf = (session: Session, message: UserMessage | ModelMessage, at: number): Message => ({
  ...message,
  id: session.lastMessage + 1,
  at,
});
