/**
 * The loop between a model and a session.
 *
 * What enters: prompts, and the events of a session. What leaves: requests to the model, its calls as commands to the session, and agent
 * events for a front end.
 *
 * What holds: every call of a model gets exactly one result; messages are events, so that a conversation continues after a crash; limits on
 * turns, tokens, cost and repetition end the loop, and it says which one did.
 */
export { Agent } from './agent.js';
export type { AgentEvent, Ending, ResponseInfo } from './events.js';
export { type AgentHooks, NO_HOOKS } from './hooks/agent-hooks.js';
export { type EndReason, SessionHooks, type StartSource } from './hooks/session-hooks.js';
export { type AgentLimits } from './limits.js';
export { type LiveSession, openLiveSession } from './live-session.js';
export { notingWork } from './noting-work.js';
export type { AgentOptions } from './options.js';
export { NO_SPENDING, type RowSpending, spendingBy } from './row-spending.js';
export { type Spending, spentSince } from './spending.js';
export { systemPrompt } from './system-prompt.js';
