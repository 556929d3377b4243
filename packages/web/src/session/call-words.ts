import type { CallItem } from '@countersign/client';
import type { Status } from '@countersign/protocol';

export const MARKS: { readonly [status in Status]: string } = {
  validating: '○',
  awaiting_approval: '?',
  scheduled: '○',
  executing: '◐',
  success: '✓',
  error: '✗',
  cancelled: '–',
};

/** The status of a call, in a word or two. */
export function statusText({ call }: CallItem): string {
  switch (call.status) {
    case 'validating':
      return 'being planned';
    case 'awaiting_approval':
      return call.step === 'replanning' ? 'being planned again' : call.answer ? 'answered' : 'waits for you';
    case 'scheduled':
      return 'queued';
    case 'executing':
      return call.aborting ? 'stopping' : call.attempt > 1 ? `runs, attempt ${call.attempt}` : 'runs';
    case 'success':
      return call.result.exitCode === undefined ? 'done' : `exit ${call.result.exitCode}`;
    case 'error':
      return call.startedAt === null ? 'not run' : 'failed';
    case 'cancelled':
      return call.reason.type === 'declined' ? 'declined' : 'cancelled';
  }
}
