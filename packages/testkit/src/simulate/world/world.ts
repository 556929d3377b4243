import type { AfterReport, HookedCall, RunContext } from '@countersign/engine';
import {
  canonicalJson,
  type DeclaredResource,
  type JsonObject,
  type ToolOutcome,
  type ToolResult,
} from '@countersign/protocol';
import { conflict } from './expected.js';
import type { CallFacts, EndEvent, History } from './history.js';
import { HookLedger } from './hook-ledger.js';
import type { Complain } from './invariants.js';
import type { Process } from './process.js';
import { type Spec, thingOf } from './tool-specs.js';

/** One run of a tool, as the world saw it. */
export type Effect = {
  readonly facts: CallFacts;
  readonly attempt: number;
  /** Changes when another process takes it up, and so does what would tell it to stop. */
  process: Process;
  signal: AbortSignal;
  readonly resources: readonly DeclaredResource[];
  over: boolean;
  result: ToolResult | null;
  /** The sandbox stopped it: it is over here before its session knows, which has to plan again first. */
  blocked: boolean;
};

/** What lies outside the engine: files, the definitions of tools, and a ledger of everything that was done. */
export class World {
  readonly #effects: Effect[] = [];
  readonly #fileVersions = new Map<string, number>();
  readonly #definitions = new Map<string, number>();
  readonly #history: () => History;
  readonly #runningMax: number;
  readonly #complain: Complain;
  readonly hooks: HookLedger;

  constructor(history: () => History, runningMax: number, complain: Complain) {
    this.#history = history;
    this.hooks = new HookLedger(complain, (call, outcome) => this.#cameTo(call, outcome));
    this.#runningMax = runningMax;
    this.#complain = complain;
  }

  fileVersion(path: string): string {
    return `v${this.#fileVersions.get(path) ?? 0}`;
  }

  changeFile(path: string): void {
    this.#fileVersions.set(path, (this.#fileVersions.get(path) ?? 0) + 1);
  }

  definition(name: string): number {
    return this.#definitions.get(name) ?? 1;
  }

  changeDefinition(name: string): void {
    this.#definitions.set(name, this.definition(name) + 1);
  }

  get effects(): readonly Effect[] {
    return this.#effects;
  }

  /** A tool begins to run: the moment at which everything must be in order. Null if the process no longer exists. */
  begin(process: Process, spec: Spec, args: JsonObject, context: RunContext): Effect | null {
    if (process.status() === 'dead') return null;
    const { plan, attempt, callId } = context;
    const name = `${spec.name} ${callId}, attempt ${attempt}`;
    const facts = this.#history().permitted(plan.digest);
    if (!facts || facts.request.callId !== callId) {
      this.#complain('consent', `${name} runs without a permit`);
      return null;
    }
    this.#checkConsent(facts, spec, args, name);
    this.#checkOnce(facts, attempt, name);
    if (process.status() === 'alive') this.#checkStarted(facts, attempt, process, name);
    // Who waits to begin may not know yet of a cancellation that is just being written; who begins at once does.
    const knowsOfIt = process.status() === 'alive' && facts.aborting && !facts.backsOff;
    const isCancelled = context.signal.aborted || knowsOfIt;
    if (isCancelled) this.#complain('lifecycle', `${name} runs after it was cancelled`);
    const resources = spec.touches(thingOf(args));
    this.#checkExclusion(facts, resources, process, name);
    const { signal } = context;
    const began = { over: false, result: null, blocked: false };
    const effect: Effect = { facts, attempt, process, resources, signal, ...began };
    this.#effects.push(effect);
    return effect;
  }

  /** Another process looks for what was begun before. Null if it never was. */
  takeUp(process: Process, { plan, attempt, callId, signal }: RunContext): Effect | null {
    const effect = this.#effects.find(
      ({ facts, attempt: made }) => facts.permit?.digest === plan.digest && made === attempt,
    );
    if (!effect) return null;
    if (effect.process === process) this.#complain('once', `${callId} is taken up by who began it`);
    effect.process = process;
    effect.signal = signal;
    return effect;
  }

  end(effect: Effect, result: ToolResult | null): void {
    effect.over = true;
    effect.result = result;
  }

  block(effect: Effect): void {
    this.end(effect, null);
    effect.blocked = true;
  }

  wasBlocked(callId: string, attempt: number): boolean {
    // A process that lost the session may begin an earlier attempt after it: it does not know yet.
    const isMeant = (effect: Effect) => effect.facts.request.callId === callId && effect.attempt === attempt;
    return this.#effects.findLast(isMeant)?.blocked === true;
  }

  /** A call ended: what is written must be what happened. */
  checkEnd(facts: CallFacts, event: EndEvent): void {
    const { callId } = facts.request;
    if (event.type === 'call.succeeded') {
      const attempt = facts.attempts.length;
      const last = this.#effects.find((effect) => effect.facts === facts && effect.attempt === attempt);
      const made = [last?.result, ...this.hooks.after(callId, facts.request.turn).map(resultIn)];
      const told = JSON.stringify(event.result);
      if (!last?.over || !made.some((result) => result && JSON.stringify(result) === told))
        this.#complain('lifecycle', `${callId} succeeded with a result that its tool did not give`);
    }
    const running = this.#effects.find(
      (effect) => effect.facts === facts && this.#isRunning(effect) && effect.process.status() === 'alive',
    );
    if (running && !running.signal.aborted) {
      this.#complain('work', `${callId} ended (${event.type}) while its tool still ran, untold to stop`);
    }
  }

  /** Whether the last run of a call is over and, if it went well, gave this. */
  #cameTo({ plan }: HookedCall, outcome: ToolOutcome): boolean {
    const facts = this.#history().permitted(plan.digest);
    const last = this.#effects.findLast((effect) => effect.facts === facts);
    if (!outcome.ok) return !last || last.over || last.signal.aborted;
    return last?.over === true && JSON.stringify(last.result) === JSON.stringify(outcome.result);
  }

  /** Runs under way in a process, apart from those that were told to stop and given up on. */
  running(process: Process): readonly Effect[] {
    return this.#effects.filter(
      (effect) => effect.process === process && this.#isRunning(effect) && !isGivenUp(effect),
    );
  }

  #checkConsent(facts: CallFacts, spec: Spec, args: JsonObject, name: string): void {
    if (spec !== facts.spec) this.#complain('consent', `${name} runs, but ${facts.request.name} was granted`);
    if (canonicalJson(args) !== canonicalJson(facts.args)) {
      this.#complain(
        'consent',
        `${name} runs with ${canonicalJson(args)}, granted was ${canonicalJson(facts.args)}`,
      );
    }
  }

  #checkOnce(facts: CallFacts, attempt: number, name: string): void {
    const earlier = this.#effects.filter((effect) => effect.facts === facts);
    if (earlier.some((effect) => effect.attempt === attempt)) this.#complain('once', `${name} ran before`);
    if (earlier.length >= facts.permits && facts.spec?.repeat !== 'safe')
      this.#complain('once', `${name}: it ran before, and nobody agreed to that again`);
  }

  #checkStarted(facts: CallFacts, attempt: number, process: Process, name: string): void {
    if (facts.attempts.length !== attempt) {
      this.#complain('lifecycle', `${name}: ${facts.attempts.length} attempts are written down`);
    } else if (facts.attempts[attempt - 1] !== process.epoch() && facts.spec?.repeat !== 'resumable') {
      this.#complain('once', `${name} was started by another life`);
    }
    if (facts.end) this.#complain('lifecycle', `${name} runs after it ended (${facts.end.type})`);
  }

  #checkExclusion(
    facts: CallFacts,
    resources: readonly DeclaredResource[],
    process: Process,
    name: string,
  ): void {
    const others = this.running(process);
    if (others.length >= this.#runningMax)
      this.#complain('limits', `${name} runs beside ${others.length} others`);
    const beside = others.find((other) => other.facts !== facts && conflict(resources, other.resources));
    if (beside) this.#complain('exclusion', `${name} runs beside ${beside.facts.request.callId}`);
  }

  #isRunning(effect: Effect): boolean {
    const goesOn = effect.facts.spec?.repeat === 'resumable' || effect.process.status() !== 'dead';
    return !effect.over && goesOn;
  }
}

const resultIn = ({ outcome }: AfterReport): ToolResult | null => (outcome?.ok ? outcome.result : null);

/** Told to stop, deaf to it, and no longer waited for: its promise cannot be killed. */
const isGivenUp = ({ facts, attempt, signal }: Effect): boolean =>
  signal.aborted && (facts.end !== null || facts.isLookedAt || facts.attempts.length > attempt);
