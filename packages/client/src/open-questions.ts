import type { AwaitingCall, ToolCall } from '@countersign/protocol';

/** What became of a question. */
export type QuestionChange =
  /** `changed`: it takes the place of another one about the same call, which cannot be answered any more. */
  | { readonly type: 'raised' | 'changed'; readonly call: AwaitingCall }
  /** Answered, replaced, withdrawn or cancelled; `by` names the person or hook that answered or replaced it, if any. */
  | { readonly type: 'gone'; readonly callId: string; readonly by: string | null };

/** Whether an answer to its question would be accepted now. */
export const isWaiting = (call: ToolCall | undefined): call is AwaitingCall =>
  call?.status === 'awaiting_approval' && call.step === 'asked' && call.answer === null;

/**
 * Notices which questions wait for an answer, for every front end. It compares states and looks at no event, so it
 * makes no difference why a question is asked: at first, after a modification, or because the sandbox stopped a run.
 */
export class OpenQuestions {
  /** Those that were reported, oldest first. */
  readonly #open = new Map<string, AwaitingCall>();
  /** Those that are reported at the end of the batch: the past may hold questions that were answered long ago. */
  readonly #new = new Map<string, AwaitingCall>();

  get open(): readonly AwaitingCall[] {
    return [...this.#open.values()];
  }

  /** A call as it is now. Returns a change to report at once: only a question that can no longer be answered is one. */
  observe(call: ToolCall): QuestionChange | null {
    const { callId } = call.request;
    if (isWaiting(call)) {
      this.#new.set(callId, call);
      return null;
    }
    this.#new.delete(callId);
    const before = this.#open.get(callId);
    if (!before) return null;
    this.#open.delete(callId);
    return { type: 'gone', callId, by: endedBy(before, call) };
  }

  /** The questions that are new since the last batch and wait still. */
  endBatch(): readonly QuestionChange[] {
    if (this.#new.size === 0) return NOTHING;
    const waiting = [...this.#new];
    this.#new.clear();
    return waiting.flatMap(([callId, call]) => {
      const before = this.#open.get(callId);
      this.#open.set(callId, call);
      if (before?.question === call.question) return [];
      return { type: before ? 'changed' : 'raised', call } as const;
    });
  }
}

const NOTHING: readonly QuestionChange[] = [];

function endedBy(before: AwaitingCall, now: ToolCall): string | null {
  if ('answer' in now && now.answer) return now.answer.by;
  return now.request.revision === before.request.revision ? null : (now.request.changedBy ?? null);
}
