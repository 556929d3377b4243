import type { Event } from '@countersign/protocol';
import type { InputOf } from '../state/input.js';
import { type Session, turnOf } from '../state/session.js';
import { type Decision, facts, refuse } from './decision.js';
import { freeId, toRequest } from './requests.js';

/** A running call needs another one: part of its turn, judged and asked about like any, and none of the model's. */
export function decideNestedCall(session: Session, input: InputOf<'nested.call'>): Decision {
  const { within, asker, call, at } = input;
  const turn = turnOf(session, input.turn);
  const parent = session.calls.get(within);
  if (!turn || parent?.request.turn !== input.turn) return refuse({ code: 'unknown_call', callId: within });
  if (parent.status !== 'executing' || parent.aborting)
    return refuse({ code: 'not_waiting', callId: within, status: parent.status });
  const callId = freeId(call.wireId, (id) => session.calls.has(id));
  const request = {
    ...toRequest(call, callId, input.turn, turn.ids.length, at),
    within,
    ...(asker !== null && { asker }),
  };
  const events: Event[] = [{ type: 'call.requested', request }];
  const { failure } = call;
  if (failure) events.push({ type: 'call.failed', callId, failure, partial: null, at });
  return facts(events);
}
