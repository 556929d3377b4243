import type { AfterReport, BeforeReport, HookedCall } from '@countersign/engine';
import { canonicalJson, type HookAdvice, type JsonObject, type ToolOutcome } from '@countersign/protocol';
import type { Complain } from './invariants.js';
import type { Process } from './process.js';

/** A hook checks the result of a call. */
type Looking = {
  readonly process: Process;
  readonly callId: string;
  readonly signal: AbortSignal;
  over: boolean;
};

type Before = {
  readonly callId: string;
  readonly args: string;
  readonly advice: HookAdvice['decision'] | null;
};
type After = { readonly callId: string; readonly turn: number; readonly report: AfterReport };

/** What hooks really said, kept by the simulator and never shown to the engine. */
export class HookLedger {
  readonly #before: Before[] = [];
  readonly #after: After[] = [];
  readonly #lookings: Looking[] = [];
  readonly #complain: Complain;
  readonly #wasReported: (call: HookedCall, outcome: ToolOutcome) => boolean;

  /** @param wasReported whether a tool had this outcome, as the world saw it. */
  constructor(complain: Complain, wasReported: (call: HookedCall, outcome: ToolOutcome) => boolean) {
    this.#complain = complain;
    this.#wasReported = wasReported;
  }

  saidBefore({ request: { callId, args } }: HookedCall, report: BeforeReport): void {
    const isChanged = report.args !== null && report.advice?.decision !== 'deny';
    const runsWith = canonicalJson(isChanged ? report.args : args);
    this.#before.push({ callId, args: runsWith, advice: report.advice?.decision ?? null });
  }

  shown(process: Process, call: HookedCall, outcome: ToolOutcome): Looking {
    const { callId } = call.request;
    if (process.status() === 'alive' && !this.#wasReported(call, outcome))
      this.#complain('lifecycle', `hooks are shown a result that ${callId} did not have`);
    const looking: Looking = { process, callId, signal: call.signal, over: false };
    this.#lookings.push(looking);
    return looking;
  }

  saidAfter({ request: { callId, turn } }: HookedCall, report: AfterReport): void {
    this.#after.push({ callId, turn, report });
  }

  /** Whether hooks said this of a call with these arguments; those that were not asked said nothing. */
  advised(callId: string, args: JsonObject, advice: HookAdvice['decision'] | null): boolean {
    const runsWith = canonicalJson(args);
    const said = this.#before.filter((entry) => entry.callId === callId && entry.args === runsWith);
    return said.some((entry) => entry.advice === advice) || (said.length === 0 && advice === null);
  }

  rewrote(callId: string, args: JsonObject): boolean {
    return this.#before.some((entry) => entry.callId === callId && entry.args === canonicalJson(args));
  }

  /** What hooks said after a call of this turn. */
  after(callId: string, turn: number): readonly AfterReport[] {
    return this.#after
      .filter((entry) => entry.callId === callId && entry.turn === turn)
      .map(({ report }) => report);
  }

  /** What hooks of a process look at, and nobody has told them to stop. */
  lookings(process: Process): readonly Looking[] {
    return this.#lookings.filter(
      (looking) => looking.process === process && !looking.over && !looking.signal.aborted,
    );
  }
}
