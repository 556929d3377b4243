import { isTransient } from '@countersign/protocol';
import { type Decision, facts, STALE } from './decision.js';
import type { Circumstances, InputOf } from './input.js';
import { carryOut, judge, questionFor } from './judge.js';
import { type Session, turnOf } from './session.js';
import { effectOf } from './wanted.js';

/** A plan was made (or could not be): judge it, then grant, ask or deny. */
export function decidePlanEnded(
  session: Session,
  input: InputOf<'plan.ended'>,
  circumstances: Circumstances,
): Decision {
  const call = session.calls.get(input.callId);
  const wanted = call && effectOf(session, call);
  if (!call || wanted?.do !== 'plan-call' || wanted.turn !== input.turn || wanted.stamp !== input.revision)
    return STALE;

  const { callId } = call.request;
  const { at, outcome } = input;
  if (!outcome.ok)
    return facts([{ type: 'call.failed', callId, failure: outcome.failure, partial: null, at }]);

  const judgement = judge(session, call.request, outcome.plan, at, circumstances);
  const planned = { type: 'call.planned', callId, plan: outcome.plan, verdict: judgement.verdict } as const;
  if (call.status === 'awaiting_approval' && judgement.type !== 'denied') {
    // A person is looking at this call: what they made of it is shown to them, even if policy would let it pass.
    const question = questionFor(session, call.request, outcome, judgement.verdict, at, circumstances);
    return facts([planned, { type: 'call.asked', callId, question }]);
  }
  if (!turnOf(session, call.request.turn)?.sealed && judgement.type !== 'denied') return facts([planned]);
  return facts([planned, ...carryOut(judgement, session, call.request, outcome, at, circumstances)]);
}

/** A run is over: success, failure, another attempt, or at last the cancellation that was wanted. */
export function decideToolEnded(
  session: Session,
  input: InputOf<'tool.ended'>,
  { limits }: Circumstances,
): Decision {
  const call = session.calls.get(input.callId);
  if (call?.status !== 'executing' || call.request.turn !== input.turn || call.attempt !== input.attempt)
    return STALE;
  const { callId } = call.request;
  const { at, outcome } = input;

  if (call.aborting) {
    const output = outcome.ok ? textOf(outcome.result.llmContent) : (outcome.partial?.output ?? '');
    const partial = { output, mayHaveHappened: outcome.ok || (outcome.partial?.mayHaveHappened ?? true) };
    return facts([{ type: 'call.cancelled', callId, reason: call.aborting, partial, at }]);
  }
  if (outcome.ok) return facts([{ type: 'call.succeeded', callId, result: outcome.result, at }]);

  const { failure, partial } = outcome;
  if (isTransient(failure) && call.plan.repeat === 'safe' && call.attempt < limits.attemptsMax) {
    const delayMs = limits.backoffMs(call.attempt);
    const attempt = call.attempt + 1;
    return facts([
      { type: 'call.retried', callId, attempt, epoch: session.epoch, delayMs, because: failure, at },
    ]);
  }
  return facts([{ type: 'call.failed', callId, failure, partial, at }]);
}

const textOf = (content: unknown): string =>
  typeof content === 'string' ? content : JSON.stringify(content);
