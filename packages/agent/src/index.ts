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
export { type Answered, askModel } from './ask-model.js';
export type {
  AgentEvent,
  Compressed,
  ConfirmationInfo,
  Ending,
  RequestInfo,
  ResponseInfo,
  Thought,
} from './events.js';
export { type AgentHookEvent, type AgentHooks, toldBy } from './hooks/agent-hooks.js';
export { SessionHooks } from './hooks/session-hooks.js';
export { type AgentLimits, DEFAULT_AGENT_LIMITS } from './limits.js';
export { type LiveOpened, type LiveSession, openLiveSession } from './live-session.js';
export { LoopDetection } from './loop-detection.js';
export { findMentions } from './mentions/find-mentions.js';
export type { AgentOptions, PromptOptions } from './options.js';
export { NOTHING_SPENT, type Spending, spentSince } from './spending.js';
export { type Situation, systemPrompt } from './system-prompt.js';
