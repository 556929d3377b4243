export { type SimulateOptions, type Summary, simulate } from './simulate.js';
export { INVARIANTS, type Invariant, Violation } from './world/invariants.js';
export type { Sabotage } from './world/sabotage.js';
