import { setTimeout as delay } from 'node:timers/promises';
import { sendTo } from '@countersign/host';

// A time limit may be overrun by 100 ms. These two leave most of it to a machine that is busy.
const TERM_GRACE_MS = 25; // to tidy up
const KILL_GRACE_MS = 15; // the system's own time to take a process down
const LEAVE_MS = 30; // `setsid -f` returns before its program has left the group
const LOOKS_APART_MS = 2;

/** Ends all processes of a group: TERM, a grace, KILL. Says whether there were any. */
export async function endGroup(leader: number): Promise<boolean> {
  if (!sendTo(-leader, 'SIGTERM')) return false;
  if (await isGone(leader, TERM_GRACE_MS)) return true;
  sendTo(-leader, 'SIGKILL');
  await isGone(leader, KILL_GRACE_MS);
  return true;
}

/** The same once the leader has ended by itself. Processes that are about to end or to leave the group are not stopped. */
export const endLeftovers = async (leader: number): Promise<boolean> =>
  !(await isGone(leader, LEAVE_MS)) && endGroup(leader);

async function isGone(leader: number, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (sendTo(-leader, 0)) {
    if (performance.now() >= deadline) return false;
    await delay(LOOKS_APART_MS);
  }
  return true;
}
