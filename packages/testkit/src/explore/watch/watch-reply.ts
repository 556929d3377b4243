import type { Effect, Input, Step } from '@countersign/kernel';
import type { FailureCode } from '@countersign/protocol';
import type { Moment } from '../world/moment.js';
import type { Findings, Property } from '../world/properties.js';
import { isOver, type Seen, type SeenCall } from '../world/seen.js';
import { says, targetIn, touchedBy } from '../world/truth.js';

/** The expected result of a command: null for acceptance. `by` is the property that would be broken otherwise. */
type Expected = {
  readonly code: FailureCode | null;
  readonly by: Property;
  readonly repeated?: true;
  /** Refused, and yet something follows: the question is asked again, or the call is over. */
  readonly withFacts?: true;
};

/** Compare what somebody was told with what SPEC says they should be told. */
export function watchReply(
  { seen, work }: Pick<Moment, 'seen' | 'work'>,
  input: Input,
  reply: Step,
  factCount: number,
  findings: Findings,
): void {
  if (input.type === 'plan.ended' || input.type === 'tool.ended' || input.type === 'hooks.ended') {
    const isTrue = work.some((effect) => isReportOf(input, effect));
    findings.hold(
      'reports',
      isTrue === factCount > 0,
      () => `${isTrue ? 'a true' : 'a stale'} report led to ${factCount} facts`,
    );
    return;
  }
  const expected = expectedReply(seen, input);
  if (!expected) return;
  const { code, by, repeated = false, withFacts = false } = expected;
  const told = reply.refusal?.code ?? null;
  findings.hold(
    by,
    told === code && reply.repeated === repeated,
    () => `told ${told}, expected ${code}${repeated ? ' again' : ''}`,
  );
  if (code !== null)
    findings.hold(
      'refusals',
      withFacts === factCount > 0,
      () => `refused with ${code}, and ${factCount} facts`,
    );
  if (reply.refusal?.code === 'already_answered' && 'callId' in input) {
    const first = seen.calls.get(input.callId)?.answer;
    const { by: who, at, outcome } = reply.refusal;
    const named = first?.by === who && first.at === at && first.outcome === outcome;
    findings.hold(
      'first',
      named,
      () => `told that ${who} was first with ${outcome}, it was ${first?.by} with ${first?.outcome}`,
    );
  }
}

type Report = Extract<Input, { type: 'plan.ended' | 'tool.ended' | 'hooks.ended' }>;

function isReportOf(input: Report, effect: Effect): boolean {
  if (effect.callId !== input.callId || effect.turn !== input.turn) return false;
  switch (input.type) {
    case 'plan.ended':
      return effect.do === 'plan-call' && effect.stamp === input.revision;
    case 'tool.ended':
      return effect.do === 'run-tool' && effect.stamp === input.attempt;
    case 'hooks.ended':
      return effect.do === 'run-hooks' && effect.stamp === input.attempt;
  }
}

const accepted = (by: Property): Expected => ({ code: null, by });
const refused = (code: FailureCode, by: Property): Expected => ({ code, by });

function expectedReply(seen: Seen, input: Input): Expected | null {
  switch (input.type) {
    case 'call':
      return input.whenBusy === 'reject' && seen.turns.length > 0
        ? refused('busy', 'refusals')
        : accepted('refusals');
    case 'answer':
      return expectedOfAnswer(seen, input);
    case 'modify': {
      const call = seen.calls.get(input.callId);
      if (call?.answer) return refused('already_answered', 'first');
      return objection(call, input.digest) ?? accepted('stale');
    }
    case 'cancel':
      return expectedOfCancel(seen, input);
    case 'set-mode':
      return { code: null, by: 'refusals', ...(input.mode === seen.mode && { repeated: true as const }) };
    case 'revoke-grant':
      return seen.grants.get(input.grantId)?.gone === false
        ? accepted('refusals')
        : refused('unknown_grant', 'refusals');
    case 'stream.call':
    case 'stream.ended':
    case 'stream.broke':
      return input.turn === null || input.turn === seen.stream?.turn
        ? accepted('streamed')
        : refused('unknown_turn', 'streamed');
    case 'open':
      return seen.epoch > 0 && input.setup?.sandbox !== 'on'
        ? refused('session_setup', 'takenUp')
        : accepted('takenUp');
    case 'nested.call':
    case 'nested.withdrawn':
    case 'say':
    case 'compress':
    case 'mask':
    case 'grants-gone':
    case 'plan.ended':
    case 'tool.ended':
    case 'hooks.ended':
      return null;
  }
}

function expectedOfCancel(seen: Seen, { target }: Extract<Input, { type: 'cancel' }>): Expected {
  switch (target.type) {
    case 'call': {
      const call = seen.calls.get(target.callId);
      if (!call) return refused('unknown_call', 'stop');
      return isOver(call) ? refused('already_settled', 'stop') : accepted('stop');
    }
    case 'turn':
      return seen.turns.some(({ turn }) => turn === target.turn)
        ? accepted('stop')
        : refused('unknown_turn', 'stop');
    case 'all':
      return accepted('stop');
  }
}

type AnswerInput = Extract<Input, { type: 'answer' }>;

function expectedOfAnswer(seen: Seen, input: AnswerInput): Expected {
  const call = seen.calls.get(input.callId);
  if (call?.answer) {
    const { key, by, digest, outcome, refusedWith } = call.answer;
    const alike = input.by === by && input.digest === digest && input.outcome === outcome;
    const same = key === null && input.key === null ? alike : key === input.key;
    if (!same) return refused('already_answered', 'first');
    return refusedWith === undefined
      ? { code: null, by: 'first', repeated: true }
      : refused(refusedWith, 'first');
  }
  const objected = objection(call, input.digest);
  if (objected || !call?.shown) return objected ?? refused('question_changed', 'stale');
  const { shown } = call;
  if (!shown.offers.has(input.outcome)) return refused('outcome_not_offered', 'refusals');
  if (input.outcome === 'modify_with_editor') return refused('invalid_answer', 'refusals');
  if (input.fresh.type === 'failed') return objectionOfTool(input.fresh.failure.code);
  if (input.outcome === 'cancel') return accepted('first');
  return expectedOfConsent(seen, call, input, shown);
}

/** The question is the one before them, and they agree to something: to what, and may it be? */
function expectedOfConsent(
  seen: Seen,
  call: SeenCall,
  { fresh, outcome, payload }: AnswerInput,
  shown: NonNullable<SeenCall['shown']>,
): Expected {
  const deniedNow: Expected = { code: 'policy_violation', by: 'lastWord', withFacts: true };
  switch (fresh.type) {
    case 'rewritten': {
      if (outcome !== 'proceed_once') return refused('invalid_answer', 'refusals');
      if (fresh.hooked?.rewritten) return { code: 'question_changed', by: 'rewritten', withFacts: true };
      if (!fresh.outcome.ok) return refused(fresh.outcome.failure.code, 'refusals');
      const reaches = touchedBy(fresh.outcome.plan);
      if (!reaches.every((each) => shown.touches.includes(each))) return refused('path_not_shown', 'within');
      const denied = says({ ...call, target: targetIn(fresh.args) }, seen) === 'deny';
      if (denied) return deniedNow;
      return fresh.hooked?.advice?.decision === 'deny'
        ? { code: 'hook_denied', by: 'hooks', withFacts: true }
        : accepted('lastWord');
    }
    case 'planned':
      if (!fresh.outcome.ok) return { code: 'question_changed', by: 'stale', withFacts: true };
      if (says(call, seen) === 'deny') return deniedNow;
      if (fresh.outcome.plan.digest !== shown.digest)
        return { code: 'question_changed', by: 'stale', withFacts: true };
      break;
    case 'unseen':
      return refused('question_changed', 'stale');
    case 'failed':
      return objectionOfTool(fresh.failure.code);
    case 'unchanged':
      if (says(call, seen) === 'deny') return deniedNow;
  }
  const makesGrant = shown.offers.get(outcome) !== null;
  const { uses } = payload;
  if (makesGrant && uses !== undefined && uses < 1) return refused('invalid_answer', 'refusals');
  return accepted('lastWord');
}

/** It learns of every answer, and what it objects to is over. */
const objectionOfTool = (code: FailureCode): Expected => ({ code, by: 'refusals', withFacts: true });

function objection(call: SeenCall | undefined, digest: string): Expected | null {
  if (!call) return refused('unknown_call', 'refusals');
  if (call.status !== 'awaiting_approval') return refused('not_waiting', 'refusals');
  return call.shown?.digest === digest ? null : refused('question_changed', 'stale');
}
