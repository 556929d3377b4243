import { type PlanDraft, type RunContext, type Tool } from '@countersign/engine';
import {
  type JsonObject,
  type Need,
  type Outcome,
  ToolFailure,
  type ToolResult,
} from '@countersign/protocol';
import type { HeldThings } from './held.js';
import type { Process } from './process.js';
import type { Random } from './random.js';
import { confirmationOf, type Spec, thingOf } from './tool-specs.js';
import type { Effect, World } from './world.js';

export type ToolSurroundings = {
  readonly process: Process;
  readonly world: World;
  readonly held: HeldThings;
  readonly random: Random;
  /** How often a plan or a run misbehaves; 0 lets everything succeed. */
  readonly mischief: () => number;
  /** How often a sandbox keeps a run from something. */
  readonly confinement: () => number;
  readonly active: () => void;
  /** Told of what a tool hears about the answer to its question. */
  readonly heard: (callId: string, outcome: Outcome) => void;
  /** Told of a plan that will never settle, whatever anybody does. */
  readonly planIsStuck: () => void;
};

/** A tool as one process has it. When its plans and runs end, and how, is up to the simulator. */
export function simulatedTool(spec: Spec, surroundings: ToolSurroundings): Tool {
  const { name, kind } = spec;
  return {
    name,
    displayName: name,
    description: `${name}, definition ${surroundings.world.definition(name)}`,
    kind,
    inputSchema: { type: 'object' },
    canUpdateOutput: true,
    check: (args) =>
      typeof args['n'] === 'number' ? { ok: true, args } : { ok: false, problems: ['"n" is a number'] },
    withContent: (args, text) => ({ ...args, text }),
    plan: (args, { signal, callId }) => plan(spec, args, signal, callId, surroundings),
    run: (args, context) => run(spec, args, context, surroundings),
    ...(spec.repeat === 'resumable' && {
      resume: (args: JsonObject, context: RunContext) => resume(spec, args, context, surroundings),
    }),
  };
}

function plan(
  spec: Spec,
  args: JsonObject,
  signal: AbortSignal,
  callId: string,
  surroundings: ToolSurroundings,
): PlanDraft | Promise<PlanDraft> {
  const { process, world, held, random, mischief, active, planIsStuck } = surroundings;
  active();
  if (process.status() === 'dead') return never();
  const onAnswer = spec.listens ? listenerOf(callId, surroundings) : undefined;
  const draft = (): PlanDraft => ({ ...draftOf(spec, args, world), ...(onAnswer && { onAnswer }) });
  if (random.chance(mischief() * 0.15)) throw somethingOdd(random);
  if (random.chance(0.5)) return draft();
  if (random.chance(mischief() * 0.15)) {
    planIsStuck();
    return never();
  }
  return new Promise((resolve, reject) => {
    const drop = held.add({
      what: 'plan',
      label: `plan of ${callId}`,
      life: process.id,
      release: () => resolve(random.chance(mischief() * 0.15) ? rejecting(somethingOdd(random)) : draft()),
    });
    signal.addEventListener('abort', () => {
      drop();
      reject(new Error('planning was stopped'));
    });
  });
}

/** A tool that wants to hear the answer. It may take its time, or object. */
function listenerOf(
  callId: string,
  { process, held, random, mischief, active, heard }: ToolSurroundings,
): NonNullable<PlanDraft['onAnswer']> {
  return (outcome) => {
    active();
    if (process.status() === 'dead') return never();
    // Who lost the session does not know, and may take a dropped command for an answer.
    if (process.status() === 'alive') heard(callId, outcome);
    if (random.chance(mischief() * 0.3)) throw somethingOdd(random);
    if (random.chance(0.5)) return;
    return new Promise((release) =>
      held.add({
        what: 'listener',
        label: `tool of ${callId}, told of ${outcome}`,
        life: process.id,
        release,
      }),
    );
  };
}

function draftOf(spec: Spec, args: JsonObject, world: World): PlanDraft {
  const on = thingOf(args);
  return {
    title: `${spec.name} ${on}`,
    resources: spec.declares === 'nothing' ? [] : spec.touches(on),
    repeat: spec.repeat,
    confirmation: confirmationOf(spec, args),
    ...(spec.readsBefore && { basis: [{ path: on, before: world.fileVersion(on), after: null }] }),
    ...(spec.asksByItself && { byDefault: 'ask_user' }),
  };
}

/** Continues what an earlier process began, returns its result if it has ended, or starts what never began. */
function resume(
  spec: Spec,
  args: JsonObject,
  context: RunContext,
  surroundings: ToolSurroundings,
): ToolResult | Promise<ToolResult> {
  const { process, world, active } = surroundings;
  active();
  if (process.status() === 'dead') return never();
  const effect = world.takeUp(process, context);
  if (!effect) return run(spec, args, context, surroundings);
  if (effect.over) return effect.result ?? rejecting(new Error('it had failed'));
  const end = (result: ToolResult | null) => world.end(effect, result);
  return runSlowly(resultOf(spec, args, context), { effect, end }, context, surroundings);
}

const resultOf = (spec: Spec, args: JsonObject, { attempt }: RunContext): ToolResult => ({
  llmContent: `${spec.name} ${JSON.stringify(args['n'])} at ${attempt}`,
  returnDisplay: '',
});

function run(
  spec: Spec,
  args: JsonObject,
  context: RunContext,
  surroundings: ToolSurroundings,
): ToolResult | Promise<ToolResult> {
  const { process, world, random, mischief, active } = surroundings;
  active();
  const effect = world.begin(process, spec, args, context);
  if (!effect) return never();
  const on = thingOf(args);
  const basis = context.plan.basis[0];
  if (basis && basis.before !== world.fileVersion(on)) {
    world.end(effect, null);
    throw new ToolFailure({ code: 'stale_file', path: on });
  }
  if (spec.kind === 'edit') world.changeFile(on);
  if (random.chance(0.4)) context.updateOutput(`${context.callId} runs`);

  if (random.chance(surroundings.confinement())) {
    world.block(effect);
    throw new ToolFailure({ code: 'sandbox_denied', need: NETWORK, exitCode: 1 }, 'so far');
  }
  const speaksTooLate = random.chance(0.3);
  const end = (result: ToolResult | null) => {
    world.end(effect, result);
    if (speaksTooLate) setImmediate(() => context.updateOutput(TOO_LATE));
  };
  if (random.chance(mischief() * 0.25)) {
    end(null);
    throw somethingOdd(random);
  }
  const result = resultOf(spec, args, context);
  if (random.chance(0.7)) return runSlowly(result, { effect, end }, context, surroundings);
  end(result);
  return result;
}

const NETWORK: Need = { needs: 'network', host: null };

/** Output that comes after the end. Nobody may hear it. */
export const TOO_LATE = 'too late';

/** Ends when the simulator says so; told to stop it does so at once, later, or not at all. */
function runSlowly(
  result: ToolResult,
  { effect, end }: { readonly effect: Effect; readonly end: (result: ToolResult | null) => void },
  { callId, signal }: RunContext,
  { process, held, random, mischief }: ToolSurroundings,
): Promise<ToolResult> {
  const manner = random.chance(mischief())
    ? random.pick(['slow to stop', 'endless', 'deaf', 'stuck'])
    : 'obedient';
  return new Promise((resolve) => {
    let isOver = false;
    // Who lost the session may still look on, but what happens is seen through by who took it up.
    const isOurs = () => effect.process === process;
    const fail = (thrown: unknown) => {
      if (isOver || !isOurs()) return;
      isOver = true;
      end(null);
      resolve(rejecting(thrown));
    };
    const succeed = () => {
      if (isOver || !isOurs()) return;
      isOver = true;
      end(result);
      resolve(result);
    };
    const hold = (label: string) =>
      held.add({
        what: 'run',
        label,
        life: process.id,
        release: () => (random.chance(mischief() * 0.4) ? fail(somethingOdd(random)) : succeed()),
      });
    if (manner === 'stuck') return;
    const drop = manner === 'endless' ? () => {} : hold(`run of ${callId}`);
    if (manner === 'deaf') return;
    signal.addEventListener('abort', () => {
      drop();
      if (manner === 'slow to stop') hold(`run of ${callId}, told to stop`);
      else fail(new Error('the run was stopped'));
    });
  });
}

/** Tools throw what they like. */
const somethingOdd = (random: Random): unknown => random.pick(ODDITIES)();

const ODDITIES: readonly [() => unknown, ...(() => unknown)[]] = [
  () => new Error('a mishap'),
  () => 'only a text',
  () => undefined,
  () => ({ not: 'an error' }),
  () => new ToolFailure({ code: 'network', message: 'gone for a moment' }),
  () => new ToolFailure({ code: 'execution_failed', message: 'it said no' }, 'half of it'),
];

async function rejecting(thrown: unknown): Promise<never> {
  throw thrown;
}

const never = (): Promise<never> => new Promise(() => {});
