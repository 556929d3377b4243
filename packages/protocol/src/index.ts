/**
 * Everything that crosses a wire or a disk: events, commands, calls, plans, questions, answers, grants, failures with their texts.
 *
 * What enters and leaves: nothing. These are types, tables and a few pure checks, without Node and without behaviour.
 *
 * What holds: stored events are kept forever, so types here only grow: a field or a case is added, never changed or removed.
 * Every failure has a code, a text that says what happened, what is left and what to do next, and a sample.
 */
export * from './answer-payload.js';
export * from './call.js';
export * from './cancel-text.js';
export * from './command.js';
export * from './command-line.js';
export * from './confirmation.js';
export * from './event.js';
export * from './failure.js';
export { FAILURE_SAMPLES } from './failure-samples.js';
export * from './grant.js';
export * from './hook.js';
export * from './json.js';
export * from './json-shape.js';
export * from './live.js';
export * from './message.js';
export * from './model-family.js';
export * from './need.js';
export * from './one-line.js';
export * from './plan.js';
export * from './policy.js';
export * from './resource.js';
export * from './setup.js';
export { ToolFailure } from './tool-failure.js';
