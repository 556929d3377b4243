import type { Status } from '@countersign/protocol';

/**
 * Every move a call can make (SPEC L1). What is not listed is impossible. From scheduled back to awaiting_approval only
 * when a process resumes the session whose rules ask about what the one before allowed.
 */
const MOVES: { readonly [from in Status | 'new']: readonly Status[] } = {
  new: ['validating'],
  validating: ['validating', 'awaiting_approval', 'scheduled', 'error', 'cancelled'],
  awaiting_approval: ['awaiting_approval', 'scheduled', 'error', 'cancelled'],
  scheduled: ['awaiting_approval', 'executing', 'cancelled'],
  executing: ['executing', 'awaiting_approval', 'success', 'error', 'cancelled'],
  success: [],
  error: [],
  cancelled: [],
};

export function assertMove(from: Status | 'new', to: Status, why: string): void {
  if (!MOVES[from].includes(to)) throw new KernelBug(`${why} would move a call from ${from} to ${to}`);
}

/** A bug of ours, never the fault of an input: the session stops rather than continue from an impossible state. */
class KernelBug extends Error {
  constructor(what: string) {
    super(`Kernel invariant broken: ${what}`);
    this.name = 'KernelBug';
  }
}

export function insist(condition: unknown, what: string): asserts condition {
  if (!condition) throw new KernelBug(what);
}
