import type { BatchOptions, TurnOutcome } from '@countersign/engine';
import type { Origin, SettledCall, WantedCall } from '@countersign/protocol';
import type { People } from './checks/people.js';
import type { CallFacts, EndEvent, History } from './world/history.js';
import type { Complain } from './world/invariants.js';
import type { Life } from './world/life.js';
import type { Profile } from './world/profile.js';
import type { Promises } from './world/promises.js';
import type { Random } from './world/random.js';
import { SPECS } from './world/tool-specs.js';

const CALLS_MAX = 5;
/** Few ids, so that they come again: in one batch, in the next turn, in one that queues. */
const IDS = 15;
const ORIGINS: readonly [Origin, ...Origin[]] = ['model', 'model', 'model', 'model', 'client', 'person'];

/** A batch as a model might write it, mistakes included. */
export function someCalls({ random, people, profile }: Chance): WantedCall[] {
  return Array.from({ length: random.below(CALLS_MAX + 1) }, (): WantedCall => {
    const spec = random.pick(profile.tools) ?? SPECS[0];
    const args = people.argsFor(spec);
    return {
      name: random.chance(0.97) ? spec.name : `${spec.name}s`,
      args: random.chance(0.97)
        ? { ...args, ...(random.chance(0.15) && { wait_for_previous: true, waits: true }) }
        : { n: 'not a number' },
      origin: random.pick(ORIGINS),
      ...(random.chance(0.8) && { callId: `c${random.below(IDS)}` }),
    };
  });
}

export function someOptions({ random }: Pick<Chance, 'random'>): BatchOptions {
  return {
    start: random.chance(0.7) ? 'as_granted' : 'together',
    attended: random.chance(0.9) ? 'somebody' : 'nobody',
    whenBusy: random.chance(0.8) ? 'queue' : 'reject',
  };
}

/** A batch that an embedder waits for, and can abort. */
export type Batch = {
  readonly life: Life;
  readonly abort: AbortController;
  readonly numbers: readonly number[];
};

/** Run a batch as an embedder does. */
export function scheduleBatch(scene: Chance & Watched & Tracked, life: Life): Batch {
  const abort = new AbortController();
  const calls = someCalls(scene);
  const done = life.session
    ?.schedule(calls, { ...someOptions(scene), signal: abort.signal })
    .then((outcome) => {
      const what = `schedule of ${calls.length} calls`;
      checkOutcome(scene, what, outcome.ok ? outcome.turn : 0, outcome);
      if (outcome.ok && outcome.calls.length !== calls.length) {
        scene.complain('acks', `${what} gives ${outcome.calls.length} results`);
      }
    });
  if (done) scene.promises.track(life.id, `schedule of ${calls.length} calls`, done);
  return {
    life,
    abort,
    numbers: calls.flatMap(({ args }) => (typeof args?.['n'] === 'number' ? args['n'] : [])),
  };
}

/** A process that resumes a session waits for the batches that are still open. */
export function awaitOpenTurns(scene: Tracked & Watched, life: Life): void {
  for (const turn of life.session?.openTurns ?? []) {
    const what = `turnEnded(${turn})`;
    const done = life.session?.turnEnded(turn).then((outcome) => checkOutcome(scene, what, turn, outcome));
    if (done) scene.promises.track(life.id, what, done);
  }
}

/** The parts of a scene that batches need: the scene itself needs them, and may not be needed back. */
type Chance = { readonly random: Random; readonly people: People; readonly profile: Profile };
type Tracked = { readonly promises: Promises };
type Watched = {
  readonly history: History;
  readonly complain: Complain;
  readonly note: (text: string) => void;
  readonly count: (what: string) => void;
};

const STATUS_OF: { readonly [T in EndEvent['type']]: SettledCall['status'] } = {
  'call.succeeded': 'success',
  'call.failed': 'error',
  'call.cancelled': 'cancelled',
};

/** The results of a batch must be what is written, call by call and in request order. */
function checkOutcome(scene: Watched, what: string, number: number, outcome: TurnOutcome): void {
  const { history, complain } = scene;
  scene.note(`${what}: ${outcome.ok ? `turn ${number} is over` : outcome.failure.code}`);
  scene.count(`batch ${outcome.ok ? 'ok' : outcome.failure.code}`);
  if (!outcome.ok) {
    if (outcome.failure.code === 'internal') complain('faults', outcome.failure.message);
    return;
  }
  const turn = history.turns.find((other) => other.turn === number);
  if (!turn?.ended) return complain('durable', `${what} says that turn ${number} is over`);
  const written = turn.calls.flatMap((call) => {
    if (call.request.followUp) return [];
    const { request, end } = lastInPlace(call);
    return `${request.callId} ${end ? STATUS_OF[end.type] : 'open'}`;
  });
  const told = outcome.calls.map(({ request, status }) => `${request.callId} ${status}`);
  if (written.join() !== told.join())
    complain('acks', `${what} says [${told.join()}], written is [${written.join()}]`);
}

/** What a hook asked for takes the place of the call that it follows. */
function lastInPlace(call: CallFacts): CallFacts {
  const { turn, request } = call;
  const next = turn.calls.find((other) => other.request.followUp?.callId === request.callId);
  return next ? lastInPlace(next) : call;
}
