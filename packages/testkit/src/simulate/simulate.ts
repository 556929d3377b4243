import { ACTIONS, type Action } from './actions.js';
import { checkAtRest } from './check-rest.js';
import { Scene } from './scene.js';
import { windUp } from './wind-up.js';
import { type Complain, Violation } from './world/invariants.js';
import { NO_SABOTAGE, type Sabotage } from './world/sabotage.js';

export type SimulateOptions = {
  /** Told of everything that happens. */
  readonly log?: (line: string) => void;
  readonly sabotage?: Partial<Sabotage>;
};

/** What a run came across: how often each kind of fact, fault and answer occurred. */
export type Summary = {
  readonly seed: number;
  readonly steps: number;
  readonly counts: ReadonlyMap<string, number>;
};

/**
 * One run over kernel and shell, with everything that can go wrong going wrong,
 * in an order that the seed decides. Throws a `Violation` if something that
 * must hold does not.
 */
export async function simulate(seed: number, { log, sabotage }: SimulateOptions = {}): Promise<Summary> {
  let step = 0;
  let violation: Violation | null = null;
  // What comes after the first violation only hides it.
  const note = (text: string) => violation ?? log?.(`${String(step).padStart(3)}  ${text}`);
  const complain: Complain = (invariant, what) => {
    note(`VIOLATION ${invariant}: ${what}`);
    violation ??= new Violation(seed, step, invariant, what);
  };
  const throwIfViolated = () => {
    if (violation) throw violation;
  };
  const onRejection = (reason: unknown) =>
    complain('leftovers', `a rejection has no handler: ${String(reason)}`);
  process.on('unhandledRejection', onRejection);
  try {
    const scene = new Scene(seed, { complain, note, sabotage: { ...NO_SABOTAGE, ...sabotage } });
    const tools = scene.profile.tools.map(({ name }) => name);
    note(`profile: ${JSON.stringify({ ...scene.profile, tools })}`);
    scene.openLife();
    const actions = actionsFor(scene);
    for (step = 1; step <= scene.profile.steps; step++) {
      await takeStep(scene, actions);
      throwIfViolated();
    }
    await windUp(scene);
    throwIfViolated();
    return { seed, steps: step, counts: scene.counts };
  } catch (thrown) {
    throwIfViolated();
    const what = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    throw new Violation(seed, step, 'faults', what);
  } finally {
    process.off('unhandledRejection', onRejection);
  }
}

/** Steps often come in one tick, or before all that the last one caused has happened. */
async function takeStep(scene: Scene, actions: readonly Action[]): Promise<void> {
  const { random, profile } = scene;
  await doSomething(scene, actions);
  scene.attachWatchers();
  if (!random.chance(profile.patience)) {
    if (random.chance(0.5)) await new Promise((resolve) => setImmediate(resolve));
    return;
  }
  await scene.rest();
  await checkAtRest(scene, random.chance(0.2) ? 'thorough' : 'quick');
}

/** Most actions need something to work on; a few tries find one that has it. */
const TRIES_MAX = 8;

async function doSomething(scene: Scene, actions: readonly Action[]): Promise<void> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const action = scene.random.weighted(actions);
    if (!action || (await action.act(scene)) === false) continue;
    scene.note(`-- ${action.name}`);
    scene.count(action.name);
    return;
  }
}

const actionsFor = ({ profile }: Scene): readonly Action[] =>
  ACTIONS.filter(({ trouble }) => trouble === undefined || profile.trouble[trouble]);
