import type { CallRequest, Event, HookAdvice, Plan, Verdict } from '@countersign/protocol';
import type { Hooked } from '../state/input.js';

/** The call as BeforeTool hooks left it, and the facts of that. */
export function afterHooks(
  request: CallRequest,
  hooked: Hooked | null,
  at: number,
): { readonly request: CallRequest; readonly events: Event[] } {
  if (!hooked) return { request, events: [] };
  const { callId } = request;
  const events: Event[] = [{ type: 'call.hooked', callId, when: 'before', notes: hooked.notes, at }];
  if (!hooked.rewritten) return { request, events };
  const revision = request.revision + 1;
  events.push({ type: 'call.rewritten', callId, revision, ...hooked.rewritten });
  const { args, argsHash } = hooked.rewritten;
  return { request: { ...request, args, argsHash, revision }, events };
}

export const plannedFact = (
  callId: string,
  plan: Plan,
  verdict: Verdict,
  advice: HookAdvice | null,
): Event =>
  advice
    ? { type: 'call.planned', callId, plan, verdict, advice }
    : { type: 'call.planned', callId, plan, verdict };
