import { SessionFold } from '@countersign/client';
import { type Journal, readPages, type SessionInfo } from '@countersign/engine';
import {
  BY_PROGRAM_END,
  type Event,
  isSettled,
  type SettledCall,
  type ToolCall,
} from '@countersign/protocol';

/** What is open in a session that no process works on. */
export type LeftOpen = {
  /** Calls that were started and have no recorded end: a command of theirs may still run. */
  readonly running: number;
  /** Calls that were requested or granted, and not started. */
  readonly queued: number;
  /** Calls that wait for a person. */
  readonly questions: number;
  /** The model has not answered the last message, or the results of its last calls, and no person stopped it. */
  readonly unanswered: boolean;
};

/**
 * What its last owner left open; null if nothing is, or another process works on the session. A model that has not
 * answered counts if its owner died, or gave the session back while the model was at work.
 */
export async function leftOpen(journal: Journal, info: SessionInfo): Promise<LeftOpen | null> {
  const { sessionId, seq, owner, lastOwner, openTurns } = info;
  const cutOff = lastOwner?.ended === 'died' || lastOwner?.modelAtWork === true;
  if (owner !== null || seq === 0 || (!cutOff && (openTurns ?? 0) === 0)) return null;
  const work = await openWork(journal, sessionId);
  const left = { ...work, unanswered: cutOff && work.unanswered };
  return left.unanswered || left.running + left.queued + left.questions > 0 ? left : null;
}

/** The number of calls that have not ended. A session without open turns has none, and is not read. */
export async function openCalls(
  journal: Journal,
  { sessionId, seq, openTurns }: SessionInfo,
): Promise<number> {
  if (seq === 0 || (openTurns ?? 0) === 0) return 0;
  const { running, queued, questions } = await openWork(journal, sessionId);
  return running + queued + questions;
}

/** What is recorded as open in a session, whether a process works on it or not. */
export async function openWork(journal: Journal, sessionId: string): Promise<LeftOpen> {
  const folded = new SessionFold(sessionId);
  const answers = new UnansweredMessages();
  for await (const page of readPages(journal, sessionId))
    for (const recorded of page) {
      const { event, call } = folded.fold(recorded);
      answers.observe(event, call);
    }
  const open = [...folded.session.calls.values()];
  const count = (...wanted: readonly ToolCall['status'][]) =>
    open.filter(({ status }) => wanted.includes(status)).length;
  return {
    running: count('executing'),
    queued: count('validating', 'scheduled'),
    questions: count('awaiting_approval'),
    unanswered: folded.session.turns.length === 0 && answers.isUnanswered,
  };
}

/** Whether a person cancelled the call in a way that also stops the model. The end of a program is no such decision. */
export const isStopped = (call: SettledCall): boolean =>
  call.status === 'cancelled' &&
  ((call.reason.type === 'aborted' && call.reason.by !== BY_PROGRAM_END) ||
    (call.reason.type === 'declined' && call.reason.stop === true));

/** Whether the last message, or the results of the calls in it, are without an answer. */
class UnansweredMessages {
  #last: { readonly role: 'user' | 'model'; readonly turn: number | null } | null = null;
  readonly #stopped = new Set<number>();

  observe(event: Event, call: ToolCall | undefined): void {
    if (event.type === 'message.added') {
      const { message } = event;
      this.#last = { role: message.role, turn: message.role === 'model' ? message.turn : null };
    } else if (event.type === 'call.cancelled' && call && isSettled(call) && isStopped(call))
      this.#stopped.add(call.request.turn);
  }

  get isUnanswered(): boolean {
    if (this.#last === null) return false;
    const { role, turn } = this.#last;
    return role === 'user' || (turn !== null && !this.#stopped.has(turn));
  }
}
