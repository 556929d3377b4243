import type { CancelReason } from './call.js';

/** What the model is told of a call that was not carried out (SPEC L5). */
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
    case 'rules_changed':
      return `The rules in force now do not let this call start: ${reason.reason}`;
  }
}

/** By whom an answer was broken off, where that was no person: nobody is said to have wanted it. */
const BROKEN_OFF: { readonly [by: string]: string } = {
  model: 'The answer that asked for this call broke off. Nothing of the call was carried out.',
  restart: 'The program ended before this call could start. Nothing of the call was carried out.',
};
