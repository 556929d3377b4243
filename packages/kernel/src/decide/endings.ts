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

/** A call that waits may have run before, until the sandbox stopped it: what that left is told whatever comes of it. */
const leftBy = (call: ToolCall): Partial | null => ('left' in call ? call.left : null);
