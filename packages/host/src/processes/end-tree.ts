import { setTimeout as delay } from 'node:timers/promises';
import { errnoOf } from '../paths/file-failure.js';
import {
  isProcessTableKnown,
  isStillThere,
  isSupervisor,
  membersOf,
  type Process,
  type ProcessTree,
} from './process-table.js';

export type Ended = {
  /** How many processes received a signal to end, less those that the leader itself had started. Supervisors end on their own. */
  readonly count: number;
  /** Those that still run: of another user, or stuck in the kernel. */
  readonly left: readonly number[];
};

const TERM_GRACE_MS = 2_000; // long enough to save and tidy up, and well within what the engine waits for a stop
const SEARCH_MS = 100; // how soon to look for what was begun in the meantime
const FIRST_LOOK_MS = 5; // most programs end at once
const LOOKS_APART_MS = 50;
const KILL_ROUNDS_MAX = 20; // a process that forks faster than this cannot be stopped by a loop

/**
 * Ends every process of a tree but its leader: TERM, a grace, then KILL until
 * none is left. Supervisors record how it ends and end with it.
 */
export async function endTree(tree: ProcessTree): Promise<Ended> {
  if (!isProcessTableKnown()) return endGroup(tree.leader);
  const signalled = new Map<string, Process>();
  const count = () => [...signalled.values()].filter(({ parent }) => parent !== tree.leader).length;
  const deadline = performance.now() + TERM_GRACE_MS;
  let left = await membersOf(tree);
  while (left.length > 0 && performance.now() < deadline) {
    for (const process of left) {
      if (signalled.has(nameOf(process)) || isSupervisor(process, tree)) continue;
      signalled.set(nameOf(process), process);
      send(process, 'SIGTERM');
    }
    await untilGone(left, Math.min(deadline, performance.now() + SEARCH_MS));
    left = await membersOf(tree);
  }
  return { count: count(), left: left.length === 0 ? [] : await kill(tree, left) };
}

const nameOf = ({ pid, started }: Process) => `${pid} ${started}`;

async function untilGone(processes: readonly Process[], deadline: number): Promise<void> {
  let there = processes.filter(isStillThere);
  for (let pauseMs = FIRST_LOOK_MS; there.length > 0; pauseMs = Math.min(pauseMs * 2, LOOKS_APART_MS)) {
    if (performance.now() > deadline) return;
    await delay(pauseMs);
    there = there.filter(isStillThere);
  }
}

async function kill(tree: ProcessTree, found: readonly Process[]): Promise<number[]> {
  let left = found;
  for (let round = 0; left.length > 0 && round < KILL_ROUNDS_MAX; round += 1) {
    // Supervisors have a moment to write down what happened. The first process of a namespace takes all others with it.
    for (const process of left) if (round > 0 || !isSupervisor(process, tree)) send(process, 'SIGKILL');
    await untilGone(left, performance.now() + LOOKS_APART_MS);
    left = await membersOf(tree);
  }
  return left.map(({ pid }) => pid);
}

function send(process: Process, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (!isStillThere(process)) return;
  sendTo(process.pid, signal);
  // One that was halted learns of it only when it continues.
  sendTo(process.pid, 'SIGCONT');
}

/** Without a table of processes: the group, which is all that can be named. */
async function endGroup(leader: number | null): Promise<Ended> {
  if (leader === null || !sendTo(-leader, 'SIGTERM')) return { count: 0, left: [] };
  const deadline = performance.now() + TERM_GRACE_MS;
  while (performance.now() < deadline) {
    await delay(LOOKS_APART_MS);
    if (!sendTo(-leader, 0)) return { count: 1, left: [] };
  }
  sendTo(-leader, 'SIGKILL');
  return { count: 1, left: [] };
}

/** Whether any process received it. A process of another user cannot be signalled, and is left to its owner. */
export function sendTo(pid: number, signal: 'SIGTERM' | 'SIGKILL' | 'SIGCONT' | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (errnoOf(error) === 'EPERM') return true;
    if (errnoOf(error) === 'ESRCH') return false;
    throw error;
  }
}
