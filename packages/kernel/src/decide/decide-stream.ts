import {
  type CancelReason,
  type Event,
  isSettled,
  type Message,
  type ModelMessage,
  type UserMessage,
} from '@countersign/protocol';
import type { Circumstances, InputOf, NewCall } from '../state/input.js';
import { type Session, turnOf } from '../state/session.js';
import { type Decision, facts, refuse } from './decision.js';
import { carryOut, judge } from './judge.js';
import { freeId, toRequest } from './requests.js';

/** A call of a response that is still being received: it is planned and judged, and nothing more. */
export function decideStreamCall(session: Session, input: InputOf<'stream.call'>): Decision {
  return refusedIn(session, input.turn) ?? facts(requested(session, input, [input.call]));
}

/** The response is complete. Calls that were judged meanwhile are judged again and carried out. */
export function decideStreamEnded(
  session: Session,
  input: InputOf<'stream.ended'>,
  circumstances: Circumstances,
): Decision {
  const { at, message, calls } = input;
  const refused = refusedIn(session, input.turn);
  if (refused) return refused;
  const turn = input.turn ?? (calls.length > 0 ? session.lastTurn + 1 : null);
  const said: Event[] = message
    ? [{ type: 'message.added', message: messageOf(session, { ...message, turn }, at) }]
    : [];
  if (turn === null) return facts(said);
  // What its own calls take of a grant is taken for those after them.
  const asSealed: Session = { ...session, claims: [...session.claims] };
  const carriedOut = (turnOf(session, turn)?.ids ?? []).flatMap((callId): readonly Event[] => {
    const call = session.calls.get(callId);
    if (call?.status !== 'validating' || call.step !== 'judged') return [];
    const { request, plan, advice } = call;
    const planned = input.planned.get(callId);
    if (planned?.plan.digest !== plan.digest) {
      const failure = { code: 'plan_failed', name: request.name, message: 'The plan was lost.' } as const;
      return [{ type: 'call.failed', callId, failure, partial: null, at }];
    }
    const judgement = judge(asSealed, request, plan, at, circumstances, advice);
    if (judgement.type === 'permitted' && judgement.by.type === 'grant')
      asSealed.claims.push(judgement.by.grantId);
    return carryOut(judgement, session, request, planned, at, circumstances);
  });
  return facts([...requested(session, input, calls), ...said, { type: 'turn.sealed', turn }, ...carriedOut]);
}

/** A turn that is not open, or complete already, gets no more calls and no second end. */
const refusedIn = (session: Session, turn: number | null): Decision | null =>
  turn === null || turnOf(session, turn)?.sealed === false ? null : refuse({ code: 'unknown_turn', turn });

/** Calls in the turn of their response, which the first of them begins. */
function requested(
  session: Session,
  { turn: known, start, attended, at }: InputOf<'stream.call' | 'stream.ended'>,
  calls: readonly NewCall[],
): readonly Event[] {
  if (calls.length === 0) return [];
  const turn = known ?? session.lastTurn + 1;
  const place = turnOf(session, turn)?.ids.length ?? 0;
  const ids = new Set<string>();
  const begun: Event[] =
    known === null
      ? [{ type: 'turn.started', turn, at, start, attended: attended ? 'somebody' : 'nobody' }]
      : [];
  return [
    ...begun,
    ...calls.flatMap((call, index): readonly Event[] => {
      const callId = freeId(call.wireId, (id) => session.calls.has(id) || ids.has(id));
      ids.add(callId);
      const request = toRequest(call, callId, turn, place + index, at);
      const { failure } = call;
      const events: readonly Event[] = [{ type: 'call.requested', request }];
      return failure ? [...events, { type: 'call.failed', callId, failure, partial: null, at }] : events;
    }),
  ];
}

export function decideStreamBroke(session: Session, input: InputOf<'stream.broke'>): Decision {
  const { turn, by, at } = input;
  return refusedIn(session, turn) ?? facts(brokenOff(session, turn, { type: 'aborted', by }, at));
}

/** A turn whose response was cut off: none of its calls is run. */
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
