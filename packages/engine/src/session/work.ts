import type { PlanOutcome, ToolOutcome } from '@countersign/kernel';
import type { CallRequest, ExecutingCall, Live, Plan } from '@countersign/protocol';
import type { EngineLimits } from '../limits.js';
import { type RunContext, ToolFailure } from '../tool.js';
import type { Toolbox } from '../toolbox.js';
import { LazyAbort } from './lazy-abort.js';
import { isThenable, plainResult, wordsOf } from './plain.js';
import type { Classify } from './plan-call.js';
import { planInTime } from './plan-in-time.js';
import type { Delay, StartTimer } from './time.js';

export type WorkOptions = {
  readonly sessionId: string;
  readonly workspace: string;
  readonly tools: Toolbox;
  readonly classify: Classify;
  readonly limits: EngineLimits;
  readonly delay: Delay;
  readonly timer: StartTimer;
  readonly planned: (request: CallRequest, outcome: PlanOutcome) => void;
  readonly ran: (request: CallRequest, attempt: number, outcome: ToolOutcome) => void;
  readonly live: (live: Live) => void;
};

/** One piece of work under way. It reports exactly once; whatever it does later is not heard. */
export type Job = {
  readonly turn: number;
  readonly stamp: number;
  readonly kind: 'plan-call' | 'run-tool';
  /** Tell it to stop. Work that reports nothing within the grace is reported for. */
  readonly stop: () => void;
  /** Tell it to stop, and never mind: the session is left, and nobody hears reports any more. */
  readonly abandon: () => void;
};

export function startPlanning(request: CallRequest, options: WorkOptions): Job {
  const { timer, limits } = options;
  const { outcome, stop } = planInTime(request, options, { timer, planTimeoutMs: limits.planTimeoutMs });
  if (!isThenable(outcome)) options.planned(request, outcome);
  else void outcome.then((planned) => options.planned(request, planned));
  return { turn: request.turn, stamp: request.revision, kind: 'plan-call', stop, abandon: stop };
}

export function startRunning(call: ExecutingCall, options: WorkOptions): Job {
  return new Run(call, options);
}

class Run implements Job {
  readonly kind = 'run-tool';
  readonly turn: number;
  readonly stamp: number;
  readonly #call: ExecutingCall;
  readonly #options: WorkOptions;
  readonly #abort = new LazyAbort();
  #cancelTimer: (() => void) | null = null;
  #stopping: 'no' | 'asked' | 'timed out' = 'no';
  #over = false;
  #output = '';

  constructor(call: ExecutingCall, options: WorkOptions) {
    this.turn = call.request.turn;
    this.stamp = call.attempt;
    this.#call = call;
    this.#options = options;
    if (call.aborting) this.#endUnbegun();
    else if (call.delayMs > 0) void this.#later(call.delayMs);
    else this.#begin();
  }

  stop(): void {
    if (this.#stopping !== 'no' || this.#over) return;
    this.#stopping = 'asked';
    this.#tellToStop();
  }

  abandon(): void {
    if (this.#over) return;
    this.#stopping = 'asked';
    this.#over = true;
    this.#cancelTimer?.();
    this.#abort.abort();
  }

  async #later(delayMs: number): Promise<void> {
    await this.#options.delay(delayMs, this.#abort.signal).catch(() => undefined);
    if (this.#stopping === 'no') this.#begin();
    else this.#endUnbegun();
  }

  /** Somebody cancelled it between its start being decided and its first effect. */
  #endUnbegun(): void {
    const failure = { code: 'execution_failed', message: 'Stopped before it began.' } as const;
    this.#end({ ok: false, failure, partial: { output: '', mayHaveHappened: this.#call.attempt > 1 } });
  }

  #begin(): void {
    const { request } = this.#call;
    const tool = this.#options.tools.get(request.name);
    if (!tool) {
      const nearest = this.#options.tools.nearest(request.name);
      this.#end({
        ok: false,
        failure: { code: 'tool_not_registered', name: request.name, nearest },
        partial: null,
      });
      return;
    }
    try {
      const context = new Doing(this.#call, this.#options.workspace, this.#abort, (live) => this.#show(live));
      const result = tool.run(request.args, context);
      if (isThenable(result)) {
        this.#limit(tool.timeoutMs ?? this.#options.limits.runTimeoutMs);
        Promise.resolve(result).then(
          (value) => this.#returned(value),
          (thrown: unknown) => this.#threw(thrown),
        );
      } else this.#returned(result);
    } catch (thrown) {
      this.#threw(thrown);
    }
  }

  #show(live: Live): void {
    if (this.#over) return;
    if (live.output !== undefined) this.#output = live.output;
    this.#options.live(live);
  }

  #limit(afterMs: number): void {
    this.#cancelTimer = this.#options.timer(afterMs, () => {
      this.#stopping = 'timed out';
      this.#timeoutMs = afterMs;
      this.#tellToStop();
    });
  }
  #timeoutMs = 0;

  #tellToStop(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = this.#options.timer(this.#options.limits.stopGraceMs, () => this.#giveUp());
    this.#abort.abort();
  }

  /** The tool did not react. Its promise cannot be killed, but the session need not wait for it for ever. */
  #giveUp(): void {
    const partial = { output: this.#output, mayHaveHappened: true };
    const afterMs = this.#stopping === 'timed out' ? this.#timeoutMs : this.#options.limits.stopGraceMs;
    this.#end({ ok: false, failure: { code: 'timed_out', afterMs, stopped: false }, partial });
  }

  #returned(value: unknown): void {
    const plain = plainResult(value);
    if (!plain.ok) {
      this.#end({ ok: false, failure: { code: 'result_not_plain', problem: plain.problem }, partial: null });
    } else if (this.#stopping === 'timed out') this.#timedOut();
    else this.#end({ ok: true, result: plain.value });
  }

  #threw(thrown: unknown): void {
    if (this.#stopping === 'timed out') return this.#timedOut();
    const output = (thrown instanceof ToolFailure ? thrown.output : null) ?? this.#output;
    const partial = output === '' && this.#stopping === 'no' ? null : { output, mayHaveHappened: true };
    if (thrown instanceof ToolFailure) return this.#end({ ok: false, failure: thrown.failure, partial });
    this.#end({ ok: false, failure: { code: 'unhandled_exception', message: wordsOf(thrown) }, partial });
  }

  #timedOut(): void {
    const failure = { code: 'timed_out', afterMs: this.#timeoutMs, stopped: true } as const;
    this.#end({ ok: false, failure, partial: { output: this.#output, mayHaveHappened: true } });
  }

  #end(outcome: ToolOutcome): void {
    if (this.#over) return;
    this.#over = true;
    this.#cancelTimer?.();
    this.#options.ran(this.#call.request, this.stamp, outcome);
  }
}

/** A class, since an object literal with a getter is slow to make. Its functions are its own: tools take them out of it. */
class Doing implements RunContext {
  readonly callId: string;
  readonly workspace: string;
  readonly attempt: number;
  readonly plan: Plan;
  readonly #abort: LazyAbort;
  readonly #show: (live: Live) => void;

  constructor(
    { request, attempt, plan }: ExecutingCall,
    workspace: string,
    abort: LazyAbort,
    show: (live: Live) => void,
  ) {
    this.callId = request.callId;
    this.workspace = workspace;
    this.attempt = attempt;
    this.plan = plan;
    this.#abort = abort;
    this.#show = show;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  readonly updateOutput = (text: string): void => this.#show({ callId: this.callId, output: text });

  readonly progress = (done: number, total?: number, message?: string): void => {
    const progress = {
      done,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message }),
    };
    this.#show({ callId: this.callId, progress });
  };
}
