import {
  type CallRequest,
  type CancelReason,
  type Event,
  type ExecutingCall,
  isTransient,
  type ToolOutcome,
} from '@countersign/protocol';
import { bySandbox } from '../policy/verdicts.js';
import type { Circumstances, InputOf, NewCall } from '../state/input.js';
import { type Session, turnOf } from '../state/session.js';
import { effectOf } from '../state/wanted.js';
import { withdrawNested } from './decide-cancel.js';
import { type Decision, facts, STALE } from './decision.js';
import { failed } from './endings.js';
import { afterHooks, plannedFact } from './hooked.js';
import { carryOut, judge, questionFor } from './judge.js';
import { freeId, toRequest } from './requests.js';

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
  const { at, outcome, hooked } = input;
  const { request, events } = afterHooks(call.request, hooked, at);
  if (!outcome.ok) return facts([...events, failed(call, outcome.failure, at)]);

  const advice = hooked?.advice ?? null;
  const judgement = judge(session, request, outcome.plan, at, circumstances, advice);
  events.push(plannedFact(callId, outcome.plan, judgement.verdict, advice));
  if (judgement.type === 'denied') return facts([...events, failed(call, judgement.failure, at)]);
  if (call.status === 'awaiting_approval') {
    // A person is looking at this call: what they made of it is shown to them, even if policy would let it pass.
    const question = questionFor(session, request, outcome, judgement.verdict, at, circumstances);
    return facts([...events, { type: 'call.asked', callId, question }]);
  }
  if (!turnOf(session, request.turn)?.sealed) return facts(events);
  return facts([...events, ...carryOut(judgement, session, request, outcome, at, circumstances)]);
}

/** A run is over: what it requested and did not wait for ends first. */
export function decideToolEnded(
  session: Session,
  input: InputOf<'tool.ended'>,
  circumstances: Circumstances,
): Decision {
  const decision = afterTheRun(session, input, circumstances);
  const { events } = decision;
  if (events.length === 0) return decision;
  return { ...decision, events: [...withdrawNested(session, input, input.at), ...events] };
}

/** Success, failure, another attempt, or at last the cancellation that was wanted. */
function afterTheRun(session: Session, input: InputOf<'tool.ended'>, circumstances: Circumstances): Decision {
  const { limits } = circumstances;
  const call = session.calls.get(input.callId);
  if (call?.status !== 'executing' || call.request.turn !== input.turn || call.attempt !== input.attempt)
    return STALE;
  if (call.finished) return STALE;
  const { callId } = call.request;
  const { at, outcome } = input;

  const ran = { outcome, complete: input.complete };
  // The cancellation counts, since it was recorded first; but what was done all the same is told as done.
  if (call.aborting) return facts([cancelledWhileRunning(call, call.aborting, ran, at)]);
  const blocked = blockedBySandbox(session, call, input, circumstances);
  if (blocked) return facts([blocked]);
  if (mayRetry(call, outcome, limits)) {
    const delayMs = limits.backoffMs(call.attempt);
    const attempt = call.attempt + 1;
    const { failure } = outcome;
    return facts([
      { type: 'call.retried', callId, attempt, epoch: session.epoch, delayMs, because: failure, at },
    ]);
  }
  return facts([
    circumstances.hooksListen(call.request)
      ? { type: 'call.finished', callId, outcome, at }
      : settled(callId, outcome, at),
  ]);
}

/** How often a call may be asked about again because of the sandbox: each need is named, so this is never met in earnest. */
const BLOCKS_MAX = 8;

/** A user may allow what the sandbox blocked; if no user is attached, the call has failed. */
function blockedBySandbox(
  session: Session,
  call: ExecutingCall,
  { outcome, widened, at }: InputOf<'tool.ended'>,
  circumstances: Circumstances,
): Event | null {
  const { request, attempt } = call;
  if (outcome.ok || outcome.failure.code !== 'sandbox_denied' || !widened?.ok || attempt > BLOCKS_MAX)
    return null;
  if (!turnOf(session, request.turn)?.attended) return null;
  const { plan } = widened;
  if (judge(session, request, plan, at, circumstances).type === 'denied') return null;
  const verdict = bySandbox(plan.needs ?? []);
  const { failure: because, partial } = outcome;
  const question = questionFor(session, request, widened, verdict, at, circumstances);
  return {
    type: 'call.blocked',
    callId: request.callId,
    attempt,
    because,
    partial,
    plan,
    verdict,
    question,
    at,
  };
}

/** AfterTool hooks have looked: the call ends, as it came out or as they made it, and may be followed by another. */
export function decideHooksEnded(session: Session, input: InputOf<'hooks.ended'>): Decision {
  const call = session.calls.get(input.callId);
  if (call?.status !== 'executing' || call.request.turn !== input.turn || call.attempt !== input.attempt)
    return STALE;
  if (!call.finished) return STALE;
  const { at, notes, followUp } = input;
  const { callId } = call.request;
  const hooked: Event = { type: 'call.hooked', callId, when: 'after', notes, at };
  // The tool had ended before the cancellation; what hooks withhold stays withheld.
  const outcome = input.outcome ?? call.finished;
  const ran = { outcome, complete: outcome.ok };
  if (call.aborting) return facts([hooked, cancelledWhileRunning(call, call.aborting, ran, at)]);
  const ended = settled(callId, outcome, at);
  return facts([hooked, ended, ...(followUp ? followedBy(session, call.request, followUp, at) : [])]);
}

/** A hook may ask for a call after every call, also after those that it asked for. */
const FOLLOW_UPS_MAX = 5;

function followedBy(session: Session, parent: CallRequest, call: NewCall, at: number): Event[] {
  const depth = (parent.followUp?.depth ?? 0) + 1;
  const turn = turnOf(session, parent.turn);
  if (!turn || depth > FOLLOW_UPS_MAX) return [];
  const callId = freeId(call.wireId, (id) => session.calls.has(id));
  const name = parent.followUp?.name ?? parent.calledAs ?? parent.name;
  const request: CallRequest = {
    ...toRequest(call, callId, parent.turn, turn.ids.length, at),
    followUp: { callId: parent.callId, name, depth },
  };
  const requested: Event = { type: 'call.requested', request };
  const { failure } = call;
  return failure ? [requested, { type: 'call.failed', callId, failure, partial: null, at }] : [requested];
}

const settled = (callId: string, outcome: ToolOutcome, at: number): Event =>
  outcome.ok
    ? { type: 'call.succeeded', callId, result: outcome.result, at }
    : { type: 'call.failed', callId, failure: outcome.failure, partial: outcome.partial, at };

function cancelledWhileRunning(
  { request: { callId } }: ExecutingCall,
  reason: CancelReason,
  { outcome, complete }: { readonly outcome: ToolOutcome; readonly complete: boolean },
  at: number,
): Event {
  const output = outcome.ok ? textOf(outcome.result.llmContent) : (outcome.partial?.output ?? '');
  const partial = {
    output,
    mayHaveHappened: complete || outcome.ok || (outcome.partial?.mayHaveHappened ?? true),
    ...(complete && { complete }),
  };
  return { type: 'call.cancelled', callId, reason, partial, at };
}

const mayRetry = (
  { plan, attempt }: ExecutingCall,
  outcome: ToolOutcome,
  { attemptsMax }: Circumstances['limits'],
): outcome is Extract<ToolOutcome, { ok: false }> =>
  !outcome.ok && isTransient(outcome.failure) && plan.repeat === 'safe' && attempt < attemptsMax;

const textOf = (content: unknown): string =>
  typeof content === 'string' ? content : JSON.stringify(content);
