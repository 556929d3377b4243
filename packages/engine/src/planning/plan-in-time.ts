import type { PlanOutcome } from '@countersign/kernel';
import type { CallRequest, Failure, Need } from '@countersign/protocol';
import { LazyAbort } from '../limits/lazy-abort.js';
import type { StartTimer } from '../limits/time.js';
import { isThenable } from '../values/plain.js';
import { NO_NEEDS, type PlanningOptions, planCall } from './plan-call.js';

export type PlanningLimit = { readonly planTimeoutMs: number; readonly timer: StartTimer };

export type Planning = {
  readonly outcome: PlanOutcome | Promise<PlanOutcome>;
  /** Aborts the plan. Its outcome is a failure at once, without waiting for the tool. */
  readonly stop: () => void;
};

/** A plan only looks, but it may get stuck. Then it is aborted, and its outcome is the failure `plan_timed_out`. */
export function planInTime(
  request: CallRequest,
  options: PlanningOptions,
  limit: PlanningLimit,
  needs: readonly Need[] = NO_NEEDS,
): Planning {
  const abort = new LazyAbort();
  const made = planCall(request, options, {
    signal: () => abort.signal,
    needs,
    plan: (other) => void planInTime(other, options, limit),
  });
  if (!isThenable(made)) return { outcome: made, stop: () => {} };

  const { name } = request;
  const { planTimeoutMs: afterMs, timer } = limit;
  let giveUp: (outcome: PlanOutcome) => void = () => {};
  const outcome = new Promise<PlanOutcome>((resolve) => {
    const cancelTimer = timer(afterMs, () =>
      giveUp({ ok: false, failure: { code: 'plan_timed_out', name, afterMs } }),
    );
    void made.then((planned) => {
      cancelTimer();
      resolve(planned);
    });
    giveUp = (instead) => {
      cancelTimer();
      resolve(instead);
      abort.abort();
    };
  });
  return {
    outcome,
    stop: () => giveUp({ ok: false, failure: stoppedPlan(name) }),
  };
}

export const stoppedPlan = (name: string): Failure => ({
  code: 'plan_failed',
  name,
  message: 'It was stopped.',
});
