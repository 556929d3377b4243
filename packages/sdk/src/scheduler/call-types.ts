import type { JsonObject } from '@countersign/protocol';
import type { ToolConfirmationOutcome } from '../enums.js';
import type { FunctionResponsePart } from '../gemini-part.js';
import type { AnyTool } from '../tools/any-tool.js';
import type { ToolCallConfirmationDetails } from '../tools/tool-types.js';

export type ToolCallRequestInfo = {
  readonly callId: string;
  readonly name: string;
  readonly args: JsonObject;
  readonly isClientInitiated?: boolean;
  readonly prompt_id?: string;
};

export type ToolCallResponseInfo = {
  readonly callId: string;
  /** Gemini parts, ready to be sent back. */
  readonly responseParts: readonly FunctionResponsePart[];
  readonly resultDisplay: unknown;
  readonly error: Error | undefined;
  readonly errorType: string | undefined;
  readonly outputFile?: string;
};

type Common = { readonly request: ToolCallRequestInfo };
type WithTool = Common & { readonly tool: AnyTool };
type Asked = { /** What a person chose, if they were asked. */ readonly outcome?: ToolConfirmationOutcome };
type Final = Asked & {
  readonly startTime?: number;
  readonly response: ToolCallResponseInfo;
  readonly durationMs: number;
  /** Who or what let the call run or stopped it: a person, a rule as `file:line`, a grant's id, `policy`. */
  readonly decidedBy?: string;
  /** Milliseconds a person was waited for. */
  readonly waitedMs?: number;
  /** A person replaced the arguments before the call ran. */
  readonly modified?: boolean;
};

export type ValidatingToolCall = WithTool & { readonly status: 'validating'; readonly startTime?: number };
export type WaitingToolCall = WithTool & {
  readonly status: 'awaiting_approval';
  readonly startTime?: number;
  readonly confirmationDetails: ToolCallConfirmationDetails;
};
export type ScheduledToolCall = WithTool &
  Asked & { readonly status: 'scheduled'; readonly startTime?: number };
export type ExecutingToolCall = WithTool &
  Asked & {
    readonly status: 'executing';
    readonly startTime?: number;
    readonly liveOutput?: string;
    readonly progress?: number;
    readonly progressTotal?: number;
    readonly progressMessage?: string;
    readonly pid?: number;
  };
export type SuccessfulToolCall = WithTool & Final & { readonly status: 'success' };
export type ErroredToolCall = Common & Final & { readonly status: 'error'; readonly tool?: AnyTool };
export type CancelledToolCall = WithTool & Final & { readonly status: 'cancelled' };

/** A call in one of its seven statuses; `JSON.stringify` gives the tool as its name and drops functions. */
export type ToolCall =
  | ValidatingToolCall
  | WaitingToolCall
  | ScheduledToolCall
  | ExecutingToolCall
  | SuccessfulToolCall
  | ErroredToolCall
  | CancelledToolCall;
export type CompletedToolCall = SuccessfulToolCall | ErroredToolCall | CancelledToolCall;
export type Status = ToolCall['status'];

export type ConfirmHandler = (call: WaitingToolCall) => Promise<ToolConfirmationOutcome>;
export type OutputUpdateHandler = (callId: string, text: string) => void;
export type AllToolCallsCompleteHandler = (completed: CompletedToolCall[]) => void | Promise<void>;
export type ToolCallsUpdateHandler = (calls: ToolCall[]) => void;
