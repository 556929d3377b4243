/** Our own names beside the forty that `index.ts` lists: wrappers of a scheduler, and types that other names mention. */
export type { Json, JsonObject, ModelContent } from '@countersign/protocol';
export { isRetryableError } from './retryable.js';
export { ManagedToolScheduler } from './scheduler/managed-tool-scheduler.js';
export { PerformanceTracker } from './scheduler/performance-tracker.js';
export {
  PersistentToolScheduler,
  type StoredToolCall,
  type ToolCallSnapshot,
} from './scheduler/persistent-tool-scheduler.js';
export type { AnthropicToolResult, OpenAiImageMessage, OpenAiToolMessage } from './wires/other-wires.js';
