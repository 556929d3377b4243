import type { AfterReport, BeforeReport, CallHooks, HookedCall } from '@countersign/engine';
import { canonicalJson, type HookAdvice, type JsonObject, type ToolOutcome } from '@countersign/protocol';
import type { HeldThings } from './held.js';
import type { HookLedger } from './hook-ledger.js';
import type { Process } from './process.js';
import type { Random } from './random.js';
import { SPECS, type Spec } from './tool-specs.js';

export type HookSurroundings = {
  readonly process: Process;
  readonly held: HeldThings;
  readonly random: Random;
  readonly ledger: HookLedger;
  /** How often hooks interfere; 0 lets them look and say nothing. */
  readonly meddling: () => number;
  readonly mischief: () => number;
  /** The tools whose results they want to see. */
  readonly listensTo: readonly string[];
  readonly active: () => void;
  readonly argsFor: (spec: Spec) => JsonObject;
};

/** Hooks as one process has them. When they end, and what they say, is up to the simulator. */
export function simulatedHooks(around: HookSurroundings): CallHooks {
  const { process, random, ledger, listensTo, active, meddling } = around;
  return {
    before: (call) => {
      active();
      if (process.status() === 'dead') return never();
      const say = () => {
        const report = beforeReport(call, around);
        ledger.saidBefore(call, report);
        return report;
      };
      if (random.chance(meddling())) return taking('a hook before', call, around, say, NOTHING_BEFORE);
      ledger.saidBefore(call, NOTHING_BEFORE);
      return null;
    },
    listensAfter: ({ name }) => listensTo.includes(name),
    after: (call, outcome) => {
      active();
      if (process.status() === 'dead') return never();
      const looking = ledger.shown(process, call, outcome);
      const say = () => {
        looking.over = true;
        const report = afterReport(call, around);
        ledger.saidAfter(call, report);
        return report;
      };
      return taking('a hook after', call, around, say, NOTHING_AFTER);
    },
    leave: () => Promise.resolve(),
  };
}

const NOTHING_BEFORE: BeforeReport = { advice: null, args: null, notes: [] };
const NOTHING_AFTER: AfterReport = { outcome: null, tailCall: null, notes: [] };

/** At once, or when the simulator says so. Told to stop, a hook says nothing; now and then one is deaf. */
function taking<T>(
  what: string,
  { request: { callId }, signal }: HookedCall,
  { process, held, random, mischief, active }: HookSurroundings,
  say: () => T,
  nothing: T,
): Promise<T> {
  if (random.chance(0.4)) return Promise.resolve().then(say);
  const isDeaf = what === 'a hook after' && random.chance(mischief() * 0.3);
  return new Promise((resolve) => {
    const drop = held.add({
      what: 'hook',
      label: `${what} ${callId}`,
      life: process.id,
      release: () => resolve(signal.aborted ? nothing : say()),
    });
    if (isDeaf) return;
    const stop = () => {
      active();
      drop();
      resolve(nothing);
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
  });
}

function beforeReport(call: HookedCall, { random, argsFor }: HookSurroundings): BeforeReport {
  const decision = random.pick([null, null, 'allow', 'ask', 'deny'] as const);
  const advice: HookAdvice | null = decision && { decision, by: 'h', reason: `a hook says ${decision}` };
  const note = {
    hook: 'h',
    source: 'simulation',
    said: decision ?? 'nothing',
    reason: null,
    durationMs: 1,
  } as const;
  const spec = SPECS.find(({ name }) => name === call.request.name);
  const rewrites = spec && random.chance(0.3);
  const args = rewrites ? { ...call.request.args, ...argsFor(spec) } : null;
  return { advice, args, notes: [note] };
}

function afterReport(call: HookedCall, { random, meddling, argsFor }: HookSurroundings): AfterReport {
  if (!random.chance(meddling())) return NOTHING_AFTER;
  const spec = random.pick(SPECS);
  const name = random.chance(0.9) ? spec.name : `${spec.name}s`;
  const tailCall = random.chance(0.4) ? { name, args: argsFor(spec) } : null;
  return { outcome: random.chance(0.5) ? replacement(call, random) : null, tailCall, notes: [] };
}

function replacement({ request: { callId } }: HookedCall, random: Random): ToolOutcome {
  if (random.chance(0.5))
    return { ok: true, result: { llmContent: `${callId} as a hook has it`, returnDisplay: '' } };
  const failure = { code: 'hook_denied', hook: 'h', reason: 'withheld' } as const;
  return { ok: false, failure, partial: { output: canonicalJson(callId), mayHaveHappened: true } };
}

const never = (): Promise<never> => new Promise(() => {});
