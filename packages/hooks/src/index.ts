export { type CallHooksOptions, callHooks } from './call-hooks.js';
export { type Contents, changedFiles, type FileChange } from './hook/changed-files.js';
export { type HookEvent, type HookPayloads, isHookEvent } from './hook/events.js';
export type {
  HookAnswer,
  HookDefinition,
  HookFailure,
  HookOutcome,
  HookRef,
  HookRun,
  HookSource,
  TailCall,
} from './hook/hook.js';
export type { HookReport, HookVerdict } from './run/combine.js';
export { describeFailure } from './run/describe-failure.js';
export type { HookContext } from './run/hook-context.js';
export { runHooks } from './run/run-hooks.js';
export type { HookProblem } from './settings/fields.js';
export { hooksInForce } from './settings/in-force.js';
export { type HooksRead, readHooks } from './settings/read-hooks.js';
export { contentOf, filesNamed, type HookContent, type HookFile } from './trust/content-hash.js';
export type { TrustedHooks } from './trust/doubts.js';
