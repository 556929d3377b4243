export { type Attached, attachSession } from './attach.js';
export type { Delivery, SessionClient } from './client.js';
export * from './journal/index.js';
export { DEFAULT_LIMITS, type EngineLimits } from './limits.js';
export * from './policy/index.js';
export { RemoteClient } from './remote-client.js';
export type { Classify } from './session/plan-call.js';
export {
  type BatchOptions,
  type BatchOutcome,
  type Fact,
  type Opened,
  type OpenOptions,
  openSession,
  type SessionShell,
  type Watcher,
} from './session/session-shell.js';
export type { Delay, StartTimer } from './session/time.js';
export type { TurnOutcome } from './session/turn-results.js';
export * from './tool.js';
export { type FunctionDeclaration, type Resolved, Toolbox } from './toolbox.js';
