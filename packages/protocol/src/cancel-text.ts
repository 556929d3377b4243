import type { CancelReason } from './call.js';

/** What the model is told of a call that was not carried out (SPEC L5). */
export function cancelText(reason: CancelReason): string {
  switch (reason.type) {
    case 'declined':
      return reason.feedback
        ? `User did not allow tool call: ${reason.feedback}`
        : 'User did not allow tool call';
    case 'aborted':
      return 'User cancelled tool execution.';
    case 'grant_revoked':
      return 'The permission this call relied on was revoked before it started.';
  }
}
