import type { FunctionResponsePart } from '@countersign/kernel';
import type { JsonObject } from '@countersign/protocol';
import type { AnyTool } from './any-tool.js';
import type { ToolConfirmationOutcome } from './enums.js';
import type { ToolCallConfirmationDetails } from './tool-types.js';

/**
 * A request for a call.
 *
 * @example
 * ```ts
 * const request: ToolCallRequestInfo = { callId: 'a', name: 'glob', args: { pattern: '*.ts' } };
 * ```
 */
export type ToolCallRequestInfo = {
  readonly callId: string;
  readonly name: string;
  readonly args: JsonObject;
  readonly isClientInitiated?: boolean | undefined;
  readonly prompt_id?: string | undefined;
};

/**
 * The result of a call: parts for the model, a display for people, and the error if there is one.
 *
 * @example
 * ```ts
 * const forModel = ({ response }: CompletedToolCall): ToolCallResponseInfo['responseParts'] => response.responseParts;
 * ```
 */
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
  /** The call was started and did not report its end, so it may have taken effect. */
  readonly mayHaveHappened?: true;
  /** It had finished when it was cancelled: it took effect, and the parts hold its whole result. */
  readonly complete?: true;
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

/**
 * A call whose arguments are checked, and that is planned and judged.
 *
 * @example
 * ```ts
 * const label = ({ tool }: ValidatingToolCall) => `${tool.displayName} …`;
 * ```
 */
export type ValidatingToolCall = WithTool & { readonly status: 'validating'; readonly startTime?: number };
/**
 * A call that waits for a person's answer.
 *
 * @example
 * ```ts
 * const ask = ({ confirmationDetails }: WaitingToolCall) => show(confirmationDetails.title, confirmationDetails.reason);
 * ```
 */
export type WaitingToolCall = WithTool & {
  readonly status: 'awaiting_approval';
  readonly startTime?: number;
  readonly confirmationDetails: ToolCallConfirmationDetails;
};
/**
 * A call that may run and waits for its turn.
 *
 * @example
 * ```ts
 * const allowedBy = ({ outcome }: ScheduledToolCall) => outcome ?? 'policy';
 * ```
 */
export type ScheduledToolCall = WithTool &
  Asked & { readonly status: 'scheduled'; readonly startTime?: number };
/**
 * A call that runs, with its output and progress so far.
 *
 * @example
 * ```ts
 * const progress = ({ liveOutput, pid }: ExecutingToolCall) => `${pid ?? ''} ${liveOutput ?? ''}`;
 * ```
 */
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
/**
 * A call that succeeded.
 *
 * @example
 * ```ts
 * const duration = ({ durationMs }: SuccessfulToolCall) => `${durationMs} ms`;
 * ```
 */
export type SuccessfulToolCall = WithTool & Final & { readonly status: 'success' };
/**
 * A call that failed or was denied; `tool` is absent if there is no such tool.
 *
 * @example
 * ```ts
 * const message = ({ response }: ErroredToolCall) => response.error?.message;
 * ```
 */
export type ErroredToolCall = Common & Final & { readonly status: 'error'; readonly tool?: AnyTool };
/**
 * A call that was declined or stopped, or that lost its grant before it started.
 *
 * @example
 * ```ts
 * const why = ({ response }: CancelledToolCall) => response.error?.message;
 * ```
 */
export type CancelledToolCall = WithTool & Final & { readonly status: 'cancelled' };

/**
 * A call in one of its seven statuses. `JSON.stringify` gives the tool as its name and drops functions.
 *
 * @example
 * ```ts
 * const line = (call: ToolCall) => `${call.request.name}: ${call.status}`;
 * ```
 */
export type ToolCall =
  | ValidatingToolCall
  | WaitingToolCall
  | ScheduledToolCall
  | ExecutingToolCall
  | SuccessfulToolCall
  | ErroredToolCall
  | CancelledToolCall;
/**
 * A call that has ended: `success`, `error` or `cancelled`.
 *
 * @example
 * ```ts
 * const failed = (calls: readonly CompletedToolCall[]) => calls.filter(({ status }) => status === 'error');
 * ```
 */
export type CompletedToolCall = SuccessfulToolCall | ErroredToolCall | CancelledToolCall;
/**
 * The seven statuses; the last three are final.
 *
 * @example
 * ```ts
 * const FINAL: readonly Status[] = ['success', 'error', 'cancelled'];
 * ```
 */
export type Status = ToolCall['status'];

/**
 * Answers a question. If it rejects, the question stays open.
 *
 * @example
 * ```ts
 * const confirmHandler: ConfirmHandler = async ({ request }) =>
 *   request.name === 'write_file' ? ToolConfirmationOutcome.ProceedOnce : ToolConfirmationOutcome.Cancel;
 * ```
 */
export type ConfirmHandler = (call: WaitingToolCall) => Promise<ToolConfirmationOutcome>;
/**
 * Receives the whole current output of a running call.
 *
 * @example
 * ```ts
 * const outputUpdateHandler: OutputUpdateHandler = (callId, text) => show(callId, text);
 * ```
 */
export type OutputUpdateHandler = (callId: string, text: string) => void;
/**
 * Receives the completed calls of a batch, in request order, once.
 *
 * @example
 * ```ts
 * const onAllToolCallsComplete: AllToolCallsCompleteHandler = (calls) => show(calls.map(({ status }) => status));
 * ```
 */
export type AllToolCallsCompleteHandler = (completed: CompletedToolCall[]) => void | Promise<void>;
/**
 * Receives frozen snapshots of the calls of the active batch; an empty one when the batch has ended.
 *
 * @example
 * ```ts
 * const onToolCallsUpdate: ToolCallsUpdateHandler = (calls) => show(calls.map(({ status }) => status));
 * ```
 */
export type ToolCallsUpdateHandler = (calls: ToolCall[]) => void;
