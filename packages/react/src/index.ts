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
