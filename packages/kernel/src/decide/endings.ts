import type { CancelReason, Event, Failure, Partial, ToolCall } from '@countersign/protocol';

/** A call that does not run, or not again, has failed. */
export const failed = (call: ToolCall, failure: Failure, at: number): Event => ({
  type: 'call.failed',
  callId: call.request.callId,
  failure,
  partial: leftBy(call),
  at,
});

export const cancelled = (call: ToolCall, reason: CancelReason, at: number): Event => ({
  type: 'call.cancelled',
  callId: call.request.callId,
  reason,
  partial: leftBy(call),
  at,
});

/** The output of an earlier run that the sandbox stopped: reported with every end of the call. */
const leftBy = (call: ToolCall): Partial | null => ('left' in call ? call.left : null);
