/** The names that programs written for Gemini CLI use, with the same meaning. */
export type { ApprovalModeSpelling } from './approval-mode.js';
export { Config, type ConfigParameters } from './config.js';
export { type ModifyResult, modifyWithEditor } from './editor/modify-with-editor.js';
export {
  ApprovalMode,
  EditorType,
  GeminiEventType,
  Kind,
  PolicyDecision,
  ToolConfirmationOutcome,
} from './enums.js';
export { executeToolCall } from './execute-tool-call.js';
export {
  convertToFunctionResponse,
  type FunctionResponsePart,
  type Part,
  type PartListUnion,
} from './function-response.js';
export { type BusMessage, type BusMessageType, MessageBus } from './message-bus.js';
export {
  type CallToJudge,
  type CheckResult,
  PolicyEngine,
  type PolicyEngineOptions,
  type PolicyRule,
} from './policy-engine.js';
export { logToolCall, type RecordOptions, type RecordSink, ToolCallEvent } from './records.js';
export type {
  AllToolCallsCompleteHandler,
  CancelledToolCall,
  CompletedToolCall,
  ConfirmHandler,
  ErroredToolCall,
  ExecutingToolCall,
  OutputUpdateHandler,
  ScheduledToolCall,
  Status,
  SuccessfulToolCall,
  ToolCall,
  ToolCallRequestInfo,
  ToolCallResponseInfo,
  ToolCallsUpdateHandler,
  ValidatingToolCall,
  WaitingToolCall,
} from './scheduler/call-types.js';
export { CoreToolScheduler, Scheduler } from './scheduler/core-tool-scheduler.js';
export type { CoreToolSchedulerOptions } from './scheduler/options.js';
export { getToolFamily, getToolSet } from './tool-families.js';
export { ToolRegistry } from './tool-registry.js';
export type { AnyTool } from './tools/any-tool.js';
export { BaseDeclarativeTool } from './tools/base-declarative-tool.js';
export { BaseToolInvocation } from './tools/base-tool-invocation.js';
export { isModifiableTool, type ModifiableTool, type ModifyContext } from './tools/modifiable-tool.js';
export { SchemaValidator } from './tools/schema-validator.js';
export type {
  AnswerResult,
  DeclarativeTool,
  ExecuteOptions,
  ForcedDecision,
  OnConfirm,
  PlainTool,
  PlainTool as Tool,
  PolicyUpdateOptions,
  ToolCallConfirmationDetails,
  ToolConfirmationPayload,
  ToolInvocation,
  ToolLocation,
  ToolOwnConfirmation,
  ToolResult,
} from './tools/tool-types.js';
export { type ServerGeminiStreamEvent, Turn, type TurnOptions } from './turn.js';
