import type { NewCall, PlanOutcome } from '@countersign/kernel';
import {
  type ApprovalMode,
  type AskedQuestion,
  type CallRequest,
  type ExecutingCall,
  type FailureCode,
  type HookNote,
  type Json,
  type Live,
  type Need,
  type PermitSource,
  type Plan,
  ToolFailure,
  type ToolOutcome,
  type ToolResult,
} from '@countersign/protocol';
import { LazyAbort } from '../limits/lazy-abort.js';
import type { EngineLimits } from '../limits/limits.js';
import type { Delay, StartTimer } from '../limits/time.js';
import { type Planning, planInTime } from '../planning/plan-in-time.js';
import { type HookingOptions, type PlannedWithHooks, planWithHooks } from '../planning/plan-with-hooks.js';
import type { SessionDirectory } from '../planning/session-directory.js';
import type { AskOptions, ResumeContext } from '../tool/tool.js';
import { isThenable, plainResult, wordsOf } from '../values/plain.js';
import { cutOutcome } from './cut-output.js';

/** The result of AfterTool hooks, as it is reported to the kernel. */
export type HooksLooked = {
  readonly outcome: ToolOutcome | null;
  readonly followUp: NewCall | null;
  readonly notes: readonly HookNote[];
};

/** What is known of the end of a tool's work besides its outcome. */
export type WorkEnd = {
  /** Whether the tool certainly came to its own end. */
  readonly complete: boolean;
  /** When the work ended, if that was before it was noticed; else null. */
  readonly endedAt: number | null;
};

export type WorkOptions = HookingOptions & {
  readonly limits: EngineLimits;
  readonly delay: Delay;
  readonly timer: StartTimer;
  readonly now: () => number;
  readonly planned: (request: CallRequest, planned: PlannedWithHooks) => void;
  /** `widened`: the plan with what the sandbox kept it from opened up. */
  readonly ran: (
    request: CallRequest,
    attempt: number,
    outcome: ToolOutcome,
    widened: PlanOutcome | null,
    end: WorkEnd,
  ) => void;
  readonly hooked: (request: CallRequest, attempt: number, looked: HooksLooked) => void;
  readonly setMode: (mode: ApprovalMode, by: string) => void;
  readonly ask: (
    request: CallRequest,
    questions: readonly AskedQuestion[],
    options: AskOptions & { readonly signal: AbortSignal },
  ) => Promise<Json>;
  readonly live: (live: Live) => void;
};

/** One piece of work under way. It reports exactly once; whatever it does later is ignored. */
export type Job = {
  readonly turn: number;
  readonly stamp: number;
  readonly kind: 'plan-call' | 'run-tool' | 'run-hooks';
  /** Signals it to stop. For work that reports nothing within `stopGraceMs`, a failure is reported. */
  readonly stop: () => void;
  /** The session is left, and reports are ignored. The work is signalled to stop, unless another process has it now. */
  readonly abandon: (to: 'nobody' | 'another process') => void;
};

export function startPlanning(request: CallRequest, options: WorkOptions): Job {
  const { timer, limits } = options;
  const { planned, stop } = planWithHooks(request, options, { timer, planTimeoutMs: limits.planTimeoutMs });
  if (!isThenable(planned)) options.planned(request, planned);
  else void planned.then((made) => options.planned(request, made));
  return { turn: request.turn, stamp: request.revision, kind: 'plan-call', stop, abandon: stop };
}

/** `resume`: another process began it, and it is not to be begun again. */
export function startRunning(call: ExecutingCall, options: WorkOptions, resume: boolean): Job {
  return new Run(call, options, resume);
}

class Run implements Job {
  readonly kind = 'run-tool';
  readonly turn: number;
  readonly stamp: number;
  readonly #call: ExecutingCall;
  readonly #options: WorkOptions;
  readonly #resume: boolean;
  readonly #abort = new LazyAbort();
  #cancelTimer: (() => void) | null = null;
  #stopping: 'no' | 'asked' | 'timed out' = 'no';
  #over = false;
  #output = '';
  #complete = false;
  #endedAt: number | null = null;

  constructor(call: ExecutingCall, options: WorkOptions, resume: boolean) {
    this.turn = call.request.turn;
    this.stamp = call.attempt;
    this.#call = call;
    this.#options = options;
    this.#resume = resume;
    if (resume) {
      this.#begin();
      if (call.aborting) this.stop();
    } else if (call.aborting) this.#endUnbegun();
    else if (call.delayMs > 0) void this.#later(call.delayMs);
    else this.#begin();
  }

  stop(): void {
    this.#widening?.stop();
    if (this.#stopping !== 'no' || this.#over) return;
    this.#stopping = 'asked';
    this.#signalStop();
  }

  abandon(to: 'nobody' | 'another process'): void {
    this.#widening?.stop();
    if (this.#over) return;
    this.#stopping = 'asked';
    this.#over = true;
    this.#cancelTimer?.();
    if (to === 'nobody' || this.#call.plan.repeat !== 'resumable') this.#abort.abort();
  }

  async #later(delayMs: number): Promise<void> {
    await this.#options.delay(delayMs, this.#abort.signal).catch(() => undefined);
    if (this.#stopping === 'no') this.#begin();
    else this.#endUnbegun();
  }

  /** It was cancelled between the decision to start it and its first effect. */
  #endUnbegun(): void {
    const failure = { code: 'execution_failed', message: 'Stopped before it started.' } as const;
    this.#end({ ok: false, failure, partial: { output: '', mayHaveHappened: this.#call.attempt > 1 } });
  }

  #begin(): void {
    const { request } = this.#call;
    const tool = this.#options.tools.get(request.name);
    if (!tool) {
      this.#end({ ok: false, failure: this.#options.tools.missing(request.name), partial: null });
      return;
    }
    try {
      const context = new ToolContext(this.#call, this.#options, this.#abort, {
        show: (live) => this.#show(live),
        endedAt: (at) => {
          this.#endedAt = at;
        },
      });
      const begin = this.#resume ? tool.resume : tool.run;
      if (!begin) return this.#interrupted();
      const result = begin.call(tool, request.args, context);
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

  /** The tool of today cannot find what the tool of then began. */
  #interrupted(): void {
    const failure = { code: 'interrupted', attempt: this.#call.attempt } as const;
    this.#end({ ok: false, failure, partial: { output: '', mayHaveHappened: true } });
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
      this.#signalStop();
    });
  }
  #timeoutMs = 0;

  #signalStop(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = this.#options.timer(this.#options.limits.stopGraceMs, () => this.#giveUp());
    this.#abort.abort();
  }

  /** The tool did not react. Its promise cannot be killed, but the session need not wait for it. */
  #giveUp(): void {
    const partial = { output: this.#output, mayHaveHappened: true };
    const afterMs = this.#stopping === 'timed out' ? this.#timeoutMs : this.#options.limits.stopGraceMs;
    this.#end({ ok: false, failure: { code: 'timed_out', afterMs, stopped: false }, partial });
  }

  #returned(value: unknown): void {
    const plain = plainResult(value);
    if (!plain.ok) {
      const partial = { output: this.#output, mayHaveHappened: true };
      this.#end({ ok: false, failure: { code: 'result_not_plain', problem: plain.problem }, partial });
      return;
    }
    this.#complete = this.#stopping === 'no' || this.#isWhole(plain.value);
    if (this.#stopping === 'timed out' && !this.#complete) this.#timedOut();
    else this.#end({ ok: true, result: plain.value });
  }

  /** Whether a result that came after the signal to stop is that of the whole work: only the tool can know. */
  #isWhole({ complete, exitCode }: ToolResult): boolean {
    if (complete !== undefined) return complete;
    const tool = this.#options.tools.get(this.#call.request.name);
    return exitCode !== undefined || tool?.whenStopped === 'throws' || !this.#abort.wasLookedAt;
  }

  #threw(thrown: unknown): void {
    if (this.#stopping === 'timed out') return this.#timedOut();
    const output = (thrown instanceof ToolFailure ? thrown.output : null) ?? this.#output;
    const isReported = output === '' && this.#stopping === 'no' && !hasUnknownEnd(thrown);
    const partial = isReported ? null : { output, mayHaveHappened: true };
    this.#complete = thrown instanceof ToolFailure && thrown.failure.code === 'command_failed';
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
    const { kept, limits } = this.#options;
    const cut = cutOutcome(outcome, kept.of(this.#call.request, this.stamp), limits.outputCharsMax);
    if (isThenable(cut)) void cut.then((settled) => this.#report(settled));
    else this.#report(cut);
  }

  #report(outcome: ToolOutcome): void {
    const { request } = this.#call;
    if (outcome.ok || outcome.failure.code !== 'sandbox_denied')
      return this.#options.ran(request, this.stamp, outcome, null, this.#endedWith(this.#complete));
    this.#widening = this.#widen(outcome.failure.need);
    void Promise.resolve(this.#widening.outcome).then((widened) =>
      this.#options.ran(request, this.stamp, outcome, widened, this.#endedWith(false)),
    );
  }
  #widening: Planning | null = null;

  /** Not before it began, whatever the clocks say. */
  #endedWith(complete: boolean): WorkEnd {
    const at = this.#endedAt;
    const endedAt = at === null ? null : Math.max(this.#call.startedAt, Math.min(at, this.#options.now()));
    return { complete, endedAt };
  }

  #widen(need: Need): Planning {
    const { timer, limits } = this.#options;
    const { request, plan } = this.#call;
    const needs = [...(plan.needs ?? []), need];
    return planInTime(request, this.#options, { timer, planTimeoutMs: limits.planTimeoutMs }, needs);
  }
}

/** Failures by which a tool says that it does not know what became of its work. */
const UNKNOWN_ENDS: ReadonlySet<FailureCode> = new Set([
  'mcp_outcome_unknown',
  'command_lost',
  'interrupted',
  'timed_out',
]);
const hasUnknownEnd = (thrown: unknown): boolean =>
  thrown instanceof ToolFailure && UNKNOWN_ENDS.has(thrown.failure.code);

/** A class, since an object literal with a getter is slow to make. Its functions are its own: tools take them out of it. */
class ToolContext implements ResumeContext {
  readonly sessionId: string;
  readonly callId: string;
  readonly workspace: string;
  readonly attempt: number;
  readonly startedAt: number;
  readonly plan: Plan;
  readonly permit: PermitSource;
  readonly answers: Json;
  readonly endedAt: (at: number) => void;
  readonly #call: ExecutingCall;
  readonly #kept: SessionDirectory;
  readonly #abort: LazyAbort;
  readonly #show: (live: Live) => void;
  readonly #setMode: WorkOptions['setMode'];
  readonly #ask: WorkOptions['ask'];

  constructor(
    call: ExecutingCall,
    { sessionId, workspace, kept, setMode, ask }: WorkOptions,
    abort: LazyAbort,
    { show, endedAt }: { readonly show: (live: Live) => void; readonly endedAt: (at: number) => void },
  ) {
    this.sessionId = sessionId;
    this.callId = call.request.callId;
    this.workspace = workspace;
    this.attempt = call.attempt;
    this.startedAt = call.startedAt;
    this.plan = call.plan;
    this.permit = call.permit.by;
    this.answers = call.answer?.answers ?? null;
    this.#call = call;
    this.#kept = kept;
    this.#abort = abort;
    this.#show = show;
    this.endedAt = endedAt;
    this.#setMode = setMode;
    this.#ask = ask;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get sessionDirectory(): string {
    return this.#kept.path;
  }

  get directory(): string {
    return this.#kept.of(this.#call.request, this.attempt);
  }

  readonly setMode = (mode: ApprovalMode): void => this.#setMode(mode, this.#call.request.name);

  readonly ask: ResumeContext['ask'] = (questions, { signal, ...options } = {}) => {
    const stopped = signal ? AbortSignal.any([this.signal, signal]) : this.signal;
    return this.#ask(this.#call.request, questions, { ...options, signal: stopped });
  };

  readonly process = (pid: number): void => this.#show({ callId: this.callId, pid });

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
