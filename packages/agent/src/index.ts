export { Agent } from './agent.js';
export type { AgentEvent, Ending, ResponseInfo } from './events.js';
export { type AgentHooks, toldBy } from './hooks/agent-hooks.js';
export { SessionHooks } from './hooks/session-hooks.js';
export { type AgentLimits } from './limits.js';
export { type LiveSession, openLiveSession } from './live-session.js';
export type { AgentOptions } from './options.js';
export { type Spending, spentSince } from './spending.js';
export { systemPrompt } from './system-prompt.js';
