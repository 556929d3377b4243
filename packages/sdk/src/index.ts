/**
 * Countersign as a library: tool calls are validated, judged by policy, asked
 * about, run in parallel where nothing conflicts, journaled, and answered.
 */

export {
  type CallHooks,
  type Journal,
  memoryJournal as memory,
  type PlanDraft,
} from '@countersign/engine';
export type {
  Confirmation,
  DeclaredResource,
  Failure,
  FailureCode,
  Json,
  JsonObject,
  ModelContent,
  Offer,
} from '@countersign/protocol';
export { ToolFailure } from '@countersign/protocol';
export { sqliteJournal as sqlite } from '@countersign/store-sqlite';
export * from './compat.js';
export { ManagedToolScheduler } from './managed-tool-scheduler.js';
export { modelFor } from './model-for.js';
export {
  type AnthropicToolResult,
  type OpenAiImageMessage,
  type OpenAiToolMessage,
  toAnthropicToolResult,
  toOpenAiImageMessage,
  toOpenAiToolMessage,
} from './other-wires.js';
export { PerformanceTracker } from './performance-tracker.js';
export {
  PersistentToolScheduler,
  type StoredToolCall,
  type ToolCallSnapshot,
} from './persistent-tool-scheduler.js';
export { isRetryableError } from './retryable.js';
export { registerBuiltInTools } from './tools/built-in.js';
export {
  defineTool,
  type PlanningContext,
  type RunningContext,
  type ToolDefinition,
} from './tools/define-tool.js';
export { read, write } from './tools/resources.js';
