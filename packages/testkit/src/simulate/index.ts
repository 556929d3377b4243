export { INVARIANTS, type Invariant, Violation } from './invariants.js';
export type { Sabotage } from './sabotage.js';
export { type SimulateOptions, type Summary, simulate } from './simulate.js';
