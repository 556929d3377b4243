/** The names that programs written for Gemini CLI use, with the same meaning. */

export { Config, type ConfigParameters } from './config/config.js';
export { type BusMessage, type BusMessageType, MessageBus } from './config/message-bus.js';
export { logToolCall, type RecordOptions, type RecordSink, ToolCallEvent } from './config/records.js';
export { type ModifyResult, modifyWithEditor } from './editor/modify-with-editor.js';
export { DiscoveredMCPTool } from './mcp/discovered-mcp-tool.js';
export { type McpClient, McpClientManager, type McpClientManagerOptions } from './mcp/mcp-client-manager.js';
export {
  type CallToJudge,
  type CheckResult,
  PolicyEngine,
  type PolicyEngineOptions,
  type PolicyRule,
} from './policy/policy-engine.js';
export { CoreToolScheduler, Scheduler } from './scheduler/core-tool-scheduler.js';
export { executeToolCall } from './scheduler/execute-tool-call.js';
export type { CoreToolSchedulerOptions } from './scheduler/options.js';
export { SchemaValidator } from './schema/schema-validator.js';
export { BaseDeclarativeTool } from './tools/base-declarative-tool.js';
export { BaseToolInvocation } from './tools/base-tool-invocation.js';
export { isModifiableTool, type ModifiableTool, type ModifyContext } from './tools/modifiable-tool.js';
export { getToolFamily, getToolSet } from './tools/tool-families.js';
export { ToolRegistry } from './tools/tool-registry.js';
export { type ServerGeminiStreamEvent, Turn, type TurnOptions } from './turn.js';
export type { AnyTool } from './types/any-tool.js';
export type { ApprovalModeSpelling } from './types/approval-mode.js';
export type { BuiltInTool, BuiltInToolName } from './types/built-in-types.js';
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
} from './types/call-types.js';
export {
  ApprovalMode,
  EditorType,
  GeminiEventType,
  Kind,
  PolicyDecision,
  ToolConfirmationOutcome,
} from './types/enums.js';
export { MCPDiscoveryState, type MCPServerConfig, MCPServerStatus } from './types/mcp-types.js';
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
} from './types/tool-types.js';
export {
  convertToFunctionResponse,
  type FunctionResponsePart,
  type Part,
  type PartListUnion,
} from './wires/function-response.js';
