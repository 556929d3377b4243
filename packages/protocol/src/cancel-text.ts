import type { CancelReason } from './call.js';

/** What the model receives for a call that was not carried out (SPEC L5). */
export function cancelText(reason: CancelReason): string {
  switch (reason.type) {
    case 'declined':
      return reason.feedback
        ? `User did not allow tool call: ${reason.feedback}`
        : 'User did not allow tool call';
    case 'aborted':
      return BROKEN_OFF[reason.by] ?? 'User cancelled tool execution.';
    case 'grant_revoked':
      return 'The permission this call relied on was revoked before it started.';
    case 'withdrawn':
      return 'The call that asked this ended before it was answered.';
    case 'rules_changed':
      return `The current rules do not allow this call to start: ${reason.reason}`;
  }
}

/** The recorded author of a cancellation that is no decision: the process that ran the call left its session. */
export const BY_PROGRAM_END = 'dispose';

/** The recorded author of an answer that was cut off by something other than a person. */
const BROKEN_OFF: { readonly [by: string]: string } = {
  model: 'The response that requested this call was cut off. The call was not run.',
  [BY_PROGRAM_END]: 'The program that ran this call was ended by a signal or by its caller.',
  restart: 'The program ended before this call could start. The call was not run.',
};
