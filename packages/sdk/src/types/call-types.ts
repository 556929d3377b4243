import type { FunctionResponsePart } from '@countersign/kernel';
import type { JsonObject } from '@countersign/protocol';
import type { AnyTool } from './any-tool.js';
import type { ToolConfirmationOutcome } from './enums.js';
import type { ToolCallConfirmationDetails } from './tool-types.js';

/** A call as it is asked for. */
export type ToolCallRequestInfo = {
  readonly callId: string;
  readonly name: string;
  readonly args: JsonObject;
  readonly isClientInitiated?: boolean;
  readonly prompt_id?: string;
};

/** What a call came to: parts for the model, a display for people, and the error if there was one. */
export type ToolCallResponseInfo = {
  readonly callId: string;
  /** Gemini parts, ready to be sent back. */
  readonly responseParts: readonly FunctionResponsePart[];
  readonly resultDisplay: unknown;
  readonly error: Error | undefined;
  readonly errorType: string | undefined;
  readonly outputFile?: string;
  /** Of a command that ran to its end. */
  readonly exitCode?: number;
  /** The signal that ended a command, where that is certain. */
  readonly signal?: string;
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

/** A call whose arguments are being checked and that is being planned and judged. */
export type ValidatingToolCall = WithTool & { readonly status: 'validating'; readonly startTime?: number };
/** A call that a person is asked about. */
export type WaitingToolCall = WithTool & {
  readonly status: 'awaiting_approval';
  readonly startTime?: number;
  readonly confirmationDetails: ToolCallConfirmationDetails;
};
/** A call that may run and waits for its turn. */
export type ScheduledToolCall = WithTool &
  Asked & { readonly status: 'scheduled'; readonly startTime?: number };
/** A call that runs, with what it shows of itself meanwhile. */
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
/** A call that ran to its end. */
export type SuccessfulToolCall = WithTool & Final & { readonly status: 'success' };
/** A call that failed or was denied; `tool` is absent if there is no such tool. */
export type ErroredToolCall = Common & Final & { readonly status: 'error'; readonly tool?: AnyTool };
/** A call that was declined, stopped, or lost its grant before it started. */
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
/** A call that is over. */
export type CompletedToolCall = SuccessfulToolCall | ErroredToolCall | CancelledToolCall;
/** The seven statuses; the last three are final. */
export type Status = ToolCall['status'];

/** Answers a question; a rejection leaves it open. */
export type ConfirmHandler = (call: WaitingToolCall) => Promise<ToolConfirmationOutcome>;
/** Gets the whole current display of a running call. */
export type OutputUpdateHandler = (callId: string, text: string) => void;
/** Gets the completed calls of a batch, in request order, once. */
export type AllToolCallsCompleteHandler = (completed: CompletedToolCall[]) => void | Promise<void>;
/** Gets frozen snapshots of the calls of the active batch; an empty one when it is over. */
export type ToolCallsUpdateHandler = (calls: ToolCall[]) => void;
