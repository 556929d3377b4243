import { KILL_POINTS, PROBES, SLOWS, TICKS } from './kill-points.mjs';
import { Random } from './random.mjs';

/** @typedef {import('./kill-points.mjs').KillPoint} KillPoint */

/**
 * A call of the batch, as `exec` takes it.
 * @typedef {{ id: string, name: 'tick' | 'slow' | 'probe', args: { [name: string]: number | string } }} PlannedCall
 */

/**
 * What two persons say to one question, at the same time.
 * @typedef {readonly ['proceed_once' | 'cancel', 'proceed_once' | 'cancel']} Saying
 */

/**
 * Everything about a round that is chosen beforehand. The machine adds its own chance: which of two
 * processes comes first is not in here.
 * @typedef {{
 *   seed: number,
 *   index: number,
 *   point: KillPoint,
 *   choice: import('./kill-points.mjs').Choice,
 *   start: 'as_granted' | 'together',
 *   recovery: 'resume' | 'nobody',
 *   calls: readonly PlannedCall[],
 *   answeredFirst: readonly string[],
 *   sayings: { readonly [callId: string]: Saying },
 *   answering: 'one by one' | 'all at once',
 *   staggerMs: number,
 * }} RoundPlan
 */

/** Rounds go through the kill points in turn, so that each has its share, and choose the rest by the seed. */
export function planRound(/** @type {number} */ seed, /** @type {number} */ index) {
  const point = KILL_POINTS[index % KILL_POINTS.length];
  if (!point) throw new Error('there are no kill points');
  return planRoundAt(point, seed, index);
}

/**
 * @param {KillPoint} point @param {number} seed @param {number} index
 * @returns {RoundPlan}
 */
export function planRoundAt(point, seed, index) {
  const random = new Random(Math.imul(seed, 0x9e3779b1) + index);
  // Nothing of a batch that starts together runs before all of it is decided.
  const start = point.stage === 'answer' && random.chance(0.25) ? 'together' : 'as_granted';
  return {
    seed,
    index,
    point,
    choice: point.choose(random),
    start,
    recovery: random.pick(['resume', 'nobody']),
    calls: planCalls(random),
    answeredFirst: start === 'together' ? TICKS : TICKS.slice(0, random.between(2, 3)),
    sayings: Object.fromEntries(TICKS.map((id) => [id, planSaying(id, random)])),
    answering: random.pick(['one by one', 'all at once']),
    staggerMs: random.pick([0, 0, 20, 80]),
  };
}

/** @param {Random} random @returns {PlannedCall[]} */
function planCalls(random) {
  /** @type {PlannedCall[]} */
  const calls = [];
  for (const id of TICKS) {
    // The last two want the same file: granted together, they still run one after the other.
    const file = id === TICKS[2] || id === TICKS[3] ? { file: 'shared.txt' } : {};
    calls.push({ id, name: 'tick', args: { ...durations(random, 30), ...file } });
  }
  for (const id of SLOWS) calls.push({ id, name: 'slow', args: durations(random, 250) });
  for (const id of PROBES) calls.push({ id, name: 'probe', args: durations(random, 60) });
  // Those that wait stand among those that run, not always before them.
  for (let i = calls.length - 1; i > 0; i--) {
    const j = random.between(0, i);
    [calls[i], calls[j]] = [/** @type {PlannedCall} */ (calls[j]), /** @type {PlannedCall} */ (calls[i])];
  }
  return calls;
}

const durations = (/** @type {Random} */ random, /** @type {number} */ msMax) => ({
  planMs: random.pick([0, 0, 0, 20]),
  beforeMs: random.between(0, msMax),
  afterMs: random.between(0, msMax),
});

/** The first two always go through, since kill points wait for them to run. @returns {Saying} */
function planSaying(/** @type {string} */ id, /** @type {Random} */ random) {
  if (id === TICKS[0] || id === TICKS[1]) return ['proceed_once', 'proceed_once'];
  return random.pick([
    ['proceed_once', 'proceed_once'],
    ['proceed_once', 'proceed_once'],
    ['proceed_once', 'cancel'],
    ['cancel', 'cancel'],
  ]);
}
