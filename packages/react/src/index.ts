/**
 * Hooks for front ends in React, in a terminal (Ink) or a page.
 *
 * What enters: a session client, or a scheduler of the library. What leaves: the session as a view to draw, and functions to answer, cancel and prompt.
 *
 * What holds: a view is replaced as a whole and never changed; nothing here decides, and the engine is imported only for its types.
 */
export {
  type AgentPort,
  AgentStream,
  type Aside,
  type PromptWords,
  type StreamEvent,
  type StreamingState,
  type StreamView,
} from './agent-stream.js';
export { SessionStore, type SessionStoreOptions, type SessionView } from './session-store.js';
export { type Agenda, type Todo } from './todo-progress.js';
export type { TrackedToolCall } from './tracked-calls.js';
export {
  type UsedStream,
  useAgentStream,
  useAgentStream as useGeminiStream,
  useSession,
} from './use-agent-stream.js';
export {
  type ToolScheduler,
  type ToolSchedulerOptions,
  useToolScheduler,
  useToolScheduler as useReactToolScheduler,
} from './use-tool-scheduler.js';
