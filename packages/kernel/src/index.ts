/**
 * The part that decides. Pure and synchronous: no clock, no files, no waiting.
 *
 * What enters: a session's state, one input (a command made precise, or a report of work), and the circumstances (policy, time,
 * grants). What leaves: new events, or a refusal; and from a state alone, the work that should be running (`wanted`).
 *
 * What holds: state is only ever the fold of events by `evolve`; a call moves only along the table in `moves.ts`; nothing is
 * scheduled without a permit, and a permit exists only for the digest of what was shown or for what policy allowed.
 */
export * from './conversation/index.js';
export { decide } from './decide.js';
export { saidAlready } from './decide-answer.js';
export type { Decision } from './decision.js';
export { evolve } from './evolve.js';
export type * from './input.js';
export { judge, subjectOf } from './judge.js';
export { KernelBug, MOVES } from './moves.js';
export * from './policy/index.js';
export { jsonText } from './policy/json-text.js';
export { isRunnable } from './policy/runnable.js';
export { schedule } from './schedule.js';
export { activeTurn, cloneSession, emptySession, type Session, type Turn, turnOf } from './session.js';
export { setupGaps } from './setup-gaps.js';
export { type Observe, type Step, step } from './step.js';
export { type Effect, effectOf, wanted } from './wanted.js';
