import type { Event, ExecutingCall, HookAdvice, Permit, ScheduledCall } from '@countersign/protocol';
import type { Circumstances, InputOf } from '../state/input.js';
import type { Session } from '../state/session.js';
import { cancelled } from './endings.js';
import { plannedFact } from './hooked.js';
import { type Judgement, judge, questionFor } from './judge.js';

/**
 * What was granted and has not started is about to start under the rules of
 * another process. What these deny does not start, and what they ask about is
 * asked, unless a person has agreed to exactly this, once or permanently.
 */
export function judgedAgain(
  session: Session,
  call: ScheduledCall,
  input: InputOf<'open'>,
  circumstances: Circumstances,
): readonly Event[] {
  const judgement = judgementOf(session, call, input, circumstances);
  if (judgement.type === 'permitted') return [];
  const { request } = call;
  const { callId } = request;
  const { at } = input;
  const { reason, rule } = judgement.verdict;
  const replanned = input.replanned.get(callId);
  if (judgement.type === 'denied' || !replanned?.ok) {
    const denial = { type: 'rules_changed', reason, rule: rule && `${rule.file}:${rule.line}` } as const;
    return [cancelled(call, denial, at)];
  }
  const question = questionFor(session, request, replanned, judgement.verdict, at, circumstances);
  return [
    plannedFact(callId, replanned.plan, judgement.verdict, null),
    { type: 'call.asked', callId, question },
  ];
}

/** What the rules of this process make of a permit that another one gave: 'permitted' if it still holds. */
export function judgementOf(
  session: Session,
  { request, plan, permit }: ScheduledCall | ExecutingCall,
  { mode, at }: InputOf<'open'>,
  circumstances: Circumstances,
): Judgement {
  const asOpened: Session = { ...session, mode: mode ?? session.mode };
  const judgement = judge(asOpened, request, plan, at, circumstances, adviceBehind(permit));
  const { verdict } = judgement;
  const wouldAsk = judgement.type === 'ask' || verdict.because === 'unattended';
  return wouldAsk && isAgreedTo(permit, asOpened) ? { type: 'permitted', verdict, by: permit.by } : judgement;
}

/** A permit by a grant has taken its use already, so that the grant need not have another. */
function isAgreedTo({ by }: Permit, { mode }: Session): boolean {
  return by.type === 'person' || (by.type === 'grant' && mode !== 'confirm_always');
}

/** What a hook allowed it still allows: it spoke of these very arguments. */
const adviceBehind = ({ by }: Permit): HookAdvice | null =>
  by.type === 'hook' ? { decision: 'allow', by: by.hook, reason: 'The rules allowed this before.' } : null;
