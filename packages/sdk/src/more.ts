/** Our own names beside the forty that `index.ts` lists: wrappers of a scheduler, and types that other names mention. */
export type { Json, JsonObject, ModelContent } from '@countersign/protocol';
export { ManagedToolScheduler } from './managed-tool-scheduler.js';
export type { AnthropicToolResult, OpenAiImageMessage, OpenAiToolMessage } from './other-wires.js';
export { PerformanceTracker } from './performance-tracker.js';
export {
  PersistentToolScheduler,
  type StoredToolCall,
  type ToolCallSnapshot,
} from './persistent-tool-scheduler.js';
export { isRetryableError } from './retryable.js';
