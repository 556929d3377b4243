import type { Event, ExecutingCall, HookAdvice, Permit, ScheduledCall } from '@countersign/protocol';
import type { Circumstances, InputOf } from '../state/input.js';
import type { Session } from '../state/session.js';
import { cancelled } from './endings.js';
import { plannedFact } from './hooked.js';
import { type Judgement, judge, questionFor } from './judge.js';

/**
 * A call that was granted and has not started is about to start under the rules
 * of another process. If these deny it, it does not start; if they ask, it is
 * asked about, unless a person has agreed to exactly this call, once or
 * permanently.
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

/** Judges a permit of another process by the rules of this one: 'permitted' if it is still valid. */
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

/** The allow of a hook remains valid: it was for exactly these arguments. */
const adviceBehind = ({ by }: Permit): HookAdvice | null =>
  by.type === 'hook' ? { decision: 'allow', by: by.hook, reason: 'The rules allowed this before.' } : null;
