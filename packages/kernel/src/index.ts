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
export { decide } from './decide/decide.js';
export { isSameAnswer, notApplied } from './decide/decide-answer.js';
export { judge, subjectOf } from './decide/judge.js';
export { setupGaps } from './decide/setup-gaps.js';
export * from './policy/index.js';
export { jsonText } from './policy/json-text.js';
export { isRunnable } from './policy/runnable.js';
export { commandKey } from './state/accepted-commands.js';
export { evolve } from './state/evolve.js';
export type * from './state/input.js';
export { schedule } from './state/schedule.js';
export { activeTurn, emptySession, type Session, type Turn, turnOf } from './state/session.js';
export { type Effect, effectOf, wanted } from './state/wanted.js';
export { type Step, step } from './step.js';
