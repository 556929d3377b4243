/**
 * Countersign as a library.
 *
 * What enters: tools, rules, and requests for tool calls. What leaves: questions for a person, snapshots of every status,
 * and one response for each call, in the order of the requests.
 *
 * What holds: a call runs only after policy or a person allowed exactly that call; it runs at most once unless its plan
 * declares that repeating is safe; `schedule` never loses a call, whatever fails. Nothing here decides: a scheduler is a thin
 * adapter over one session of the engine.
 *
 * The names below are the forty that a program needs. The names of `countersign/compat`, for programs written for Gemini
 * CLI, and the rest of our own follow at the end.
 */

export { type CallHooks, type Journal, memoryJournal as memory, type PlanDraft } from '@countersign/engine';
export {
  type Confirmation,
  type DeclaredResource,
  type Failure,
  type FailureCode,
  type Offer,
  ToolFailure,
} from '@countersign/protocol';
export { sqliteJournal as sqlite } from '@countersign/store-sqlite';
export * from './compat.js';
export { Config } from './config/config.js';
export { modelFor } from './model-for.js';
export * from './more.js';
export { PolicyEngine, type PolicyRule } from './policy/policy-engine.js';
export { Scheduler } from './scheduler/core-tool-scheduler.js';
export { executeToolCall } from './scheduler/execute-tool-call.js';
export { registerBuiltInTools } from './tools/built-in.js';
export {
  defineTool,
  type PlanningContext,
  type RunningContext,
  type ToolDefinition,
} from './tools/define-tool.js';
export { read, write } from './tools/resources.js';
export { ToolRegistry } from './tools/tool-registry.js';
export { Turn } from './turn.js';
export type {
  CompletedToolCall,
  ConfirmHandler,
  ToolCall,
  ToolCallRequestInfo,
  ToolCallResponseInfo,
  WaitingToolCall,
} from './types/call-types.js';
export { ApprovalMode, Kind, PolicyDecision, ToolConfirmationOutcome } from './types/enums.js';
export type { ToolResult } from './types/tool-types.js';
export { toAnthropicToolResult, toOpenAiImageMessage, toOpenAiToolMessage } from './wires/other-wires.js';
