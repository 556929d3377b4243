import type { Journal, SessionInfo } from '@countersign/engine';
import { type Spending, spendingBy } from './spending.js';

/** A session as a list shows it. */
export type SessionSummary = {
  readonly id: string;
  readonly workspace: string;
  readonly mode: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly status: 'working' | 'waiting' | 'idle';
  /** The process that works on it; null if none does. */
  readonly pid: number | null;
  /** The number of pending questions. */
  readonly questions: number;
  /** The first prompt; null if there is none. */
  readonly prompt: string | null;
  /** The number of ended calls. */
  readonly calls: number;
  readonly spending: Spending | null;
};

/** In the given order. */
export async function summariesOf(
  journal: Journal,
  infos: readonly SessionInfo[],
): Promise<readonly SessionSummary[]> {
  if (infos.length === 0) return [];
  const [approvals, calls, messages] = await Promise.all([
    journal.approvals(),
    journal.calls(),
    journal.messages(infos.map(({ sessionId }) => sessionId)),
  ]);
  const questions = countBySession(approvals);
  const callsOf = countBySession(calls);
  const spending = spendingBy(messages, ({ sessionId }) => sessionId);
  const prompts = new Map<string, string>();
  for (const { sessionId, words } of messages)
    if (words !== null && !prompts.has(sessionId)) prompts.set(sessionId, words);
  return infos.map((info) => {
    const waiting = questions.get(info.sessionId) ?? 0;
    return {
      id: info.sessionId,
      workspace: info.workspace,
      mode: info.mode,
      createdAt: info.createdAt,
      updatedAt: info.updatedAt,
      status: info.owner !== null ? 'working' : waiting > 0 ? 'waiting' : 'idle',
      pid: info.owner?.shown.pid ?? null,
      questions: waiting,
      prompt: prompts.get(info.sessionId) ?? null,
      calls: callsOf.get(info.sessionId) ?? 0,
      spending: spending.get(info.sessionId) ?? null,
    };
  });
}

function countBySession(rows: readonly { readonly sessionId: string }[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { sessionId } of rows) counts.set(sessionId, (counts.get(sessionId) ?? 0) + 1);
  return counts;
}

export function statusText({ status, pid, questions }: SessionSummary): string {
  const waiting = questions === 1 ? '1 question is pending' : `${questions} questions are pending`;
  switch (status) {
    case 'working':
      return questions > 0 ? `working in process ${pid}, ${waiting}` : `working in process ${pid}`;
    case 'waiting':
      return waiting;
    case 'idle':
      return 'idle';
  }
}
