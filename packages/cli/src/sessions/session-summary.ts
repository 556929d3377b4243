import { type LeftOpen, leftOpen, openCalls } from '@countersign/attach';
import { leftText } from '@countersign/client';
import {
  type FrontEnd,
  isAtWork,
  type Journal,
  orDamage,
  readEach,
  type SessionInfo,
} from '@countersign/engine';
import { type Spending, spendingBy } from './spending.js';

/** A session as a list shows it. */
export type SessionSummary = {
  readonly id: string;
  readonly workspace: string;
  readonly mode: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** 'interrupted': its process ended and left work open, which no process continues. 'damaged': it cannot be read. */
  readonly status: 'working' | 'waiting' | 'interrupted' | 'idle' | 'damaged';
  /** The kind of front end that works on it, or did last; null if it is not recorded. */
  readonly frontEnd: FrontEnd | null;
  /** What is open in it; null if nothing is, or a process works on it. */
  readonly left: LeftOpen | null;
  /** The process that works on it; null if none does. */
  readonly pid: number | null;
  /** The number of pending questions. */
  readonly questions: number;
  /** The first prompt; null if there is none. */
  readonly prompt: string | null;
  /** The number of its calls: ended, running, queued and waiting for a person. */
  readonly calls: number;
  /** How many of them have not ended. */
  readonly openCalls: number;
  readonly spending: Spending | null;
  /** What is damaged in its records; omitted where nothing is. */
  readonly damaged?: string;
};

/** In the given order. */
export async function summariesOf(
  journal: Journal,
  infos: readonly SessionInfo[],
): Promise<readonly SessionSummary[]> {
  if (infos.length === 0) return [];
  const ids = infos.map(({ sessionId }) => sessionId);
  const all = async () => (await journal.list()).map(({ sessionId }) => sessionId);
  const [approvals, calls, messages] = await Promise.all([
    readEach(
      all,
      () => journal.approvals(),
      (sessionId) => journal.approvals({ sessionId }),
    ),
    readEach(
      all,
      () => journal.calls(),
      (sessionId) => journal.calls(sessionId),
    ),
    readEach(
      async () => ids,
      () => journal.messages(ids),
      (sessionId) => journal.messages([sessionId]),
    ),
  ]);
  const damagedIn = new Map([...approvals.damaged, ...calls.damaged, ...messages.damaged]);
  const questions = countBySession(approvals.rows);
  const callsOf = countBySession(calls.rows);
  const spending = spendingBy(messages.rows, ({ sessionId }) => sessionId);
  const prompts = new Map<string, string>();
  for (const { sessionId, words } of messages.rows)
    if (words !== null && !prompts.has(sessionId)) prompts.set(sessionId, words);
  const summaries: SessionSummary[] = [];
  for (const info of infos) {
    const waiting = questions.get(info.sessionId) ?? 0;
    const read = await orDamage(async () => ({
      left: await leftOpen(journal, info),
      open: await openCalls(journal, info),
    }));
    const { left, open } = read.ok ? read.value : NOTHING_OPEN;
    const damaged =
      info.damaged ?? damagedIn.get(info.sessionId)?.detail ?? (read.ok ? null : read.failure.detail);
    summaries.push({
      id: info.sessionId,
      workspace: info.workspace,
      mode: info.mode,
      createdAt: info.createdAt,
      updatedAt: info.updatedAt,
      status: damaged === null ? statusOf(info, waiting, left) : 'damaged',
      frontEnd: (info.owner ?? info.lastOwner)?.frontEnd ?? null,
      left,
      pid: info.owner?.shown.pid ?? null,
      questions: waiting,
      prompt: prompts.get(info.sessionId) ?? null,
      // An older store does not count open turns: then at least those that wait are known.
      calls: (callsOf.get(info.sessionId) ?? 0) + Math.max(open, waiting),
      openCalls: Math.max(open, waiting),
      spending: spending.get(info.sessionId) ?? null,
      ...(damaged !== null && { damaged }),
    });
  }
  return summaries;
}

function statusOf(
  info: SessionInfo,
  waiting: number,
  left: LeftOpen | null,
): Exclude<SessionSummary['status'], 'damaged'> {
  if (isAtWork(info)) return 'working';
  if (left && isInterrupted(left)) return 'interrupted';
  return waiting > 0 ? 'waiting' : 'idle';
}

/** Whether there is more to continue than questions, which wait for a person and not for a process. */
const isInterrupted = ({ running, queued, unanswered }: LeftOpen): boolean =>
  running + queued > 0 || unanswered;

const NOTHING_OPEN = { left: null, open: 0 } as const;

function countBySession(rows: readonly { readonly sessionId: string }[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { sessionId } of rows) counts.set(sessionId, (counts.get(sessionId) ?? 0) + 1);
  return counts;
}

export function statusText({ status, pid, questions, left, frontEnd, damaged }: SessionSummary): string {
  const waiting = questions === 1 ? '1 question is pending' : `${questions} questions are pending`;
  switch (status) {
    case 'working':
      return questions > 0 ? `working in process ${pid}, ${waiting}` : `working in process ${pid}`;
    case 'waiting':
      return waiting;
    case 'interrupted':
      return `interrupted: its process${frontEnd === null ? '' : ` (${frontEnd})`} ended; ${left ? leftText(left) : ''}`;
    case 'idle':
      return pid === null ? 'idle' : `idle, open in process ${pid}`;
    case 'damaged':
      return `damaged: ${damaged}`;
  }
}
