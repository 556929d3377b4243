import type { Hooked, PlanOutcome } from '@countersign/kernel';
import type { CallRequest, Plan } from '@countersign/protocol';
import { LazyAbort } from '../limits/lazy-abort.js';
import type { BeforeReport, CallHooks } from '../tool/call-hooks.js';
import { isThenable } from '../values/plain.js';
import type { PlanningOptions } from './plan-call.js';
import { type PlanningLimit, planInTime, stoppedPlan } from './plan-in-time.js';
import { hashArgs } from './requests.js';

export type HookingOptions = PlanningOptions & {
  readonly hooks: CallHooks | null;
  /** Whether policy denies the call, so that hooks need not see it. */
  readonly isDenied: (request: CallRequest, plan: Plan) => boolean;
};

export type PlannedWithHooks = { readonly outcome: PlanOutcome; readonly hooked: Hooked | null };
export type PlanningWithHooks = {
  readonly planned: PlannedWithHooks | Promise<PlannedWithHooks>;
  readonly stop: () => void;
};

/**
 * Plan a call, and show it to the hooks that want to see it first. If they
 * change its arguments it is planned again, so that what is judged is what would
 * run; they are not shown their own changes.
 */
export function planWithHooks(
  request: CallRequest,
  options: HookingOptions,
  limit: PlanningLimit,
): PlanningWithHooks {
  const { hooks } = options;
  let planning = planInTime(request, options, limit);
  const { outcome } = planning;
  if (!hooks) {
    const { stop } = planning;
    return isThenable(outcome)
      ? { planned: outcome.then(unhooked), stop }
      : { planned: unhooked(outcome), stop };
  }
  const abort = new LazyAbort();
  let isStopped = false;
  const show = (made: PlanOutcome): PlannedWithHooks | Promise<PlannedWithHooks> => {
    if (!made.ok || options.isDenied(request, made.plan)) return unhooked(made);
    const { sessionId, workspace } = options;
    const looking = hooks.before({ sessionId, workspace, request, plan: made.plan, signal: abort.signal });
    return looking ? looking.then((report) => follow(made, report)) : unhooked(made);
  };
  const follow = async (made: PlanOutcome, report: BeforeReport): Promise<PlannedWithHooks> => {
    const { advice, notes } = report;
    const changed = report.args && advice?.decision !== 'deny' ? changedRequest(request, report.args) : null;
    if (!changed) return { outcome: made, hooked: { advice, rewritten: null, notes } };
    const by = `hook ${notes.map(({ hook }) => hook).join(', ')}`;
    const { args, argsHash } = changed;
    // It was stopped, and what was planned is not what would run.
    if (isStopped) return unhooked({ ok: false, failure: stoppedPlan(request.name) });
    planning = planInTime(changed, options, limit);
    return { outcome: await planning.outcome, hooked: { advice, rewritten: { args, argsHash, by }, notes } };
  };
  return {
    planned: isThenable(outcome) ? outcome.then(show) : show(outcome),
    stop: () => {
      isStopped = true;
      abort.abort();
      planning.stop();
    },
  };

  function changedRequest(before: CallRequest, given: NonNullable<BeforeReport['args']>): CallRequest | null {
    const args = options.tools.get(before.name)?.renameArgs?.(given) ?? given;
    const argsHash = hashArgs(before.name, args);
    return argsHash === before.argsHash ? null : { ...before, args, argsHash, revision: before.revision + 1 };
  }
}

const unhooked = (outcome: PlanOutcome): PlannedWithHooks => ({ outcome, hooked: null });
