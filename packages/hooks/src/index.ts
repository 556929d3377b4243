/**
 * Programs of the user that look at calls, in Gemini CLI's format.
 *
 * What enters: hook settings, and the calls and moments that hooks subscribe to. What leaves: a verdict for each (allow, ask, deny, stop),
 * changed arguments or results, and a note for the journal.
 *
 * What holds: a hook that guards something and fails refuses it; hooks of a repository run only after a person trusted their content;
 * a hook can make policy stricter, never weaker.
 */
export { callHooks, hooksBefore } from './call-hooks.js';
export { type Contents, changedFiles, type FileChange } from './hook/changed-files.js';
export { type HookEvent, type HookPayloads } from './hook/events.js';
export type { HookDefinition } from './hook/hook.js';
export type { HookReport } from './run/combine.js';
export { runHooks } from './run/run-hooks.js';
export { hooksInForce } from './settings/in-force.js';
export { type HooksRead, readHooks } from './settings/read-hooks.js';
export { contentOf, filesNamed, type HookContent } from './trust/content-hash.js';
export type { TrustedHooks } from './trust/doubts.js';
