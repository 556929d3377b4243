import type { FailureCode, JsonObject } from '@countersign/protocol';
import type { CompletedToolCall } from '../types/call-types.js';
import { type RedactionRule, redactArgs } from './redaction.js';

/**
 * What was decided about a call. `accept`, `modify`: a person let it run, as it was or changed; `auto_accept`: policy
 * or an earlier grant did; `reject`: a person declined or policy denied. `decided_by` distinguishes these.
 */
export type ToolCallDecision = 'accept' | 'reject' | 'modify' | 'auto_accept';

/**
 * The record of one completed call, in the words of Gemini CLI's telemetry (SPEC O1).
 *
 * @example
 * ```ts
 * const record: ToolCallEvent = ToolCallEvent(completed);
 * show(record.function_name, record.duration_ms);
 * ```
 */
export type ToolCallEvent = {
  readonly 'event.name': 'tool_call';
  /** When the record was made, ISO 8601. */
  readonly 'event.timestamp': string;
  readonly call_id: string;
  readonly function_name: string;
  /** The arguments that ran, with what looks secret hidden. */
  readonly function_args: JsonObject;
  /** How long it executed; waiting for a person is not part of it. */
  readonly duration_ms: number;
  readonly status: CompletedToolCall['status'];
  readonly success: boolean;
  readonly prompt_id: string;
  /** Absent when the call ended before a decision. */
  readonly decision?: ToolCallDecision;
  /** The person, the rule as `file:line`, the grant's id, or `policy`. */
  readonly decided_by?: string;
  /** How long a person was waited for. */
  readonly waiting_ms: number;
  readonly error?: string;
  /** The failure's code, or why the call was cancelled. */
  readonly error_type?: string;
};

/**
 * How a record is made.
 *
 * @example
 * ```ts
 * const options: RecordOptions = { redact: (key) => key === 'password' };
 * show(ToolCallEvent(completed, options));
 * ```
 */
export type RecordOptions = {
  /** Hides more than the default rule does. */
  readonly redact?: RedactionRule | undefined;
  readonly now?: () => number;
};

type MakeRecord = {
  (call: CompletedToolCall, options?: RecordOptions): ToolCallEvent;
  new (call: CompletedToolCall, options?: RecordOptions): ToolCallEvent;
};

/**
 * Makes the record of a completed call, of any status. `ToolCallEvent(call)` and `new ToolCallEvent(call)`, which
 * programs written for Gemini CLI use, do the same.
 */
// A `function` that returns an object may be called either way; only its type cannot express that by itself.
export const ToolCallEvent = recordOf as MakeRecord;

function recordOf(call: CompletedToolCall, options: RecordOptions = {}): ToolCallEvent {
  const { request, response } = call;
  const decision = decisionOf(call);
  const decidedBy = deciderOf(call, decision);
  return {
    'event.name': 'tool_call',
    'event.timestamp': new Date(options.now?.() ?? Date.now()).toISOString(),
    call_id: request.callId,
    function_name: request.name,
    function_args: redactArgs(request.args, options.redact),
    duration_ms: call.durationMs,
    status: call.status,
    success: call.status === 'success',
    prompt_id: request.prompt_id ?? '',
    ...(decision && { decision }),
    ...(decidedBy !== undefined && { decided_by: decidedBy }),
    waiting_ms: call.waitedMs ?? 0,
    ...(response.error && { error: response.error.message }),
    ...(response.errorType !== undefined && { error_type: response.errorType }),
  };
}

/**
 * Where records are sent: the option `onToolCallRecord` of `Config`, or any object with that member.
 *
 * @example
 * ```ts
 * const sink: RecordSink = { onToolCallRecord: (event) => show(event.function_name) };
 * ```
 */
export type RecordSink = {
  readonly onToolCallRecord?: ((event: ToolCallEvent) => void | PromiseLike<void>) | undefined;
};

/**
 * Sends a record to a sink. A sink that throws or rejects is reported (by default as a process warning) and does no harm.
 *
 * @example
 * ```ts
 * logToolCall(config, ToolCallEvent(completed));
 * ```
 */
export function logToolCall(
  config: RecordSink,
  event: ToolCallEvent,
  onTrouble: (trouble: Error) => void = (trouble) => process.emitWarning(trouble),
): void {
  const failed = (reason: unknown) =>
    onTrouble(new Error('onToolCallRecord failed; the call itself is not affected.', { cause: reason }));
  try {
    const pending = config.onToolCallRecord?.(event);
    if (pending !== undefined) pending.then(undefined, failed);
  } catch (thrown) {
    failed(thrown);
  }
}

const DENIED: readonly string[] = ['policy_violation', 'nobody_to_ask'] satisfies FailureCode[];
/** With these a call ends before policy has seen it. */
const UNJUDGED: readonly string[] = [
  'tool_not_registered',
  'invalid_tool_params',
  'duplicate_call_id',
  'invalid_request',
  'plan_failed',
  'plan_timed_out',
] satisfies FailureCode[];

function decisionOf(call: CompletedToolCall): ToolCallDecision | undefined {
  const errorType = call.response.errorType ?? '';
  // Policy judges again when an answer arrives, so that a denial may follow a yes.
  if (DENIED.includes(errorType)) return 'reject';
  if (call.outcome === 'cancel') return 'reject';
  if (call.outcome === 'modify_with_editor') return 'modify';
  if (call.outcome !== undefined) return call.modified ? 'modify' : 'accept';
  if (call.decidedBy !== undefined || call.status === 'success') return 'auto_accept';
  // A cancelled call has no answer, and may have been stopped before policy allowed it.
  return call.status === 'cancelled' || UNJUDGED.includes(errorType) ? undefined : 'auto_accept';
}

function deciderOf(call: CompletedToolCall, decision: ToolCallDecision | undefined): string | undefined {
  if (decision === undefined) return undefined;
  if (DENIED.includes(call.response.errorType ?? '')) return 'policy';
  return call.decidedBy ?? (call.outcome === undefined ? 'policy' : 'person');
}
