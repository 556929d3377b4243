/**
 * Everything that crosses a wire or a disk: events, commands, calls, plans, questions, answers, grants, failures with their texts.
 *
 * What enters and leaves: nothing. These are types, tables and a few pure checks, without Node and without behaviour.
 *
 * What holds: stored events are kept forever, so types here only grow: a field or a case is added, never changed or removed.
 * Every failure has a code, a text that says what happened, what is left and what to do next, and a sample.
 */
export * from './accepted-command.js';
export * from './answer-payload.js';
export * from './call.js';
export * from './cancel-text.js';
export * from './command.js';
export * from './confirmation.js';
export * from './delivery.js';
export * from './event.js';
export * from './event-kinds.js';
export * from './failures/failure.js';
export { FAILURE_SAMPLES } from './failures/failure-samples.js';
export { ToolFailure } from './failures/tool-failure.js';
export * from './hook.js';
export * from './json/json.js';
export * from './json/json-shape.js';
export * from './json/one-line.js';
export * from './live.js';
export * from './message.js';
export * from './model-family.js';
export * from './plan.js';
export * from './policy/command-line.js';
export * from './policy/grant.js';
export * from './policy/policy.js';
export * from './reach/need.js';
export * from './reach/resource.js';
export * from './reach/setup.js';
export * from './view-rows.js';
