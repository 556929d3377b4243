/**
 * Sessions: the imperative shell around the kernel, with journals, policy files and the ports for tools.
 *
 * What enters: commands from front ends, reports from running work, events of other processes. What leaves: events to
 * subscribers, replies to commands, and work started or stopped.
 *
 * What holds: an event is written before anything acts on it; all events of one drain of the mailbox are one append; one process owns a
 * session, and others attach as clients; running work is always what the state wants, also after a crash.
 */
export type { ForkPoint } from './fork/fork-facts.js';
export { type Forked, type ForkRequest, forkSession } from './fork/fork-session.js';
export * from './journal/index.js';
export { DEFAULT_LIMITS, type EngineLimits } from './limits/limits.js';
export type { Delay, StartTimer } from './limits/time.js';
export { type MemoryOptions, type MemoryStore, memoryJournal, memoryStore } from './memory-journal/memory.js';
export type { TurnOutcome } from './notes/turn-results.js';
export { analyzeLine, lineOf } from './planning/known-commands.js';
export { type Classify, placed } from './planning/plan-call.js';
export { SessionDirectory } from './planning/session-directory.js';
export * from './policy/index.js';
export { CallStream } from './session/call-stream.js';
export type { BatchOptions, BatchOutcome, OpenOptions, Watcher } from './session/open-options.js';
export { type Opened, openSession, type SessionShell } from './session/session-shell.js';
export { type Tally, tallies, tallyOf } from './statistics/tally.js';
export type { AfterReport, BeforeReport, CallHooks, HookedCall } from './tool/call-hooks.js';
export { nearest } from './tool/nearest.js';
export * from './tool/tool.js';
export { declarationOf, type FunctionDeclaration, type Resolved, Toolbox } from './tool/toolbox.js';
