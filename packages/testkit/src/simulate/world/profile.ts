import type { EngineLimits } from '@countersign/engine';
import { APPROVAL_MODES, type ApprovalMode } from '@countersign/protocol';
import type { Random } from './random.js';
import { SPECS, type Spec } from './tool-specs.js';

/** What one seed is like. Runs that lack some kinds of trouble reach states that a mixture of all never would. */
export type Profile = {
  readonly keep: 'open-turns' | 'all';
  readonly limits: EngineLimits;
  readonly mode: ApprovalMode;
  readonly steps: number;
  /** How often plans and runs misbehave. */
  readonly mischief: number;
  /** How often the simulator waits for everything to settle before it continues. */
  readonly patience: number;
  readonly trouble: { readonly [T in Trouble]: boolean };
  /** The tools that are called: few, so that their calls get in each other's way. */
  readonly tools: readonly Spec[];
  /** Those whose results hooks look at. */
  readonly listensTo: readonly string[];
};

const TROUBLES = [
  'crashes',
  'takeovers',
  'disposals',
  'failing appends',
  'failing reads',
  'slow journal',
  'rivals',
  'inbox',
  'subscribers',
  'forgeries',
  'modes',
  'world changes',
  'hooks',
  'sandbox',
] as const;
export type Trouble = (typeof TROUBLES)[number];

const TOOLS_MAX = 6;
const STEPS_MIN = 20;
const STEPS_MAX = 60;

export function profileOf(random: Random): Profile {
  const isTight = random.chance(0.5);
  const limits: EngineLimits = {
    plansMax: isTight ? 1 + random.below(3) : 64,
    runningMax: isTight ? 1 + random.below(3) : 64,
    attemptsMax: 1 + random.below(3),
    backoffMs: (attempt) => 100 * attempt,
    planTimeoutMs: 3_000,
    runTimeoutMs: 5_000,
    stopGraceMs: 500,
    outputCharsMax: 80_000,
  };
  const has = () => random.chance(0.6);
  const trouble = Object.fromEntries(TROUBLES.map((name) => [name, has()])) as Profile['trouble'];
  const tools = Array.from({ length: 1 + random.below(TOOLS_MAX) }, () => random.pick(SPECS));
  return {
    keep: random.chance(0.5) ? 'open-turns' : 'all',
    limits,
    mode: random.chance(0.5) ? 'manual' : random.pick(APPROVAL_MODES),
    steps: STEPS_MIN + random.below(STEPS_MAX - STEPS_MIN),
    mischief: random.pick([0, 0.2, 0.5]),
    patience: random.pick([0.4, 0.7, 1]),
    trouble,
    tools,
    listensTo: trouble.hooks ? tools.flatMap(({ name }) => (random.chance(0.5) ? [name] : [])) : [],
  };
}
