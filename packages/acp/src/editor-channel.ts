import type { LiveSession } from '@countersign/agent';
import type { ApprovalChannel } from '@countersign/client';
import { choicesOf, visibleLine } from '@countersign/display';
import { type AnswerPayload, type AwaitingCall, explain, type Outcome } from '@countersign/protocol';
import { optionFor } from './calls/question.js';
import { readForm } from './calls/question-form.js';
import type { ShownCalls } from './calls/shown-calls.js';
import { EDITOR, type Editor } from './editor.js';

type Live = Pick<LiveSession, 'session' | 'events'>;
type Said = { readonly outcome: Outcome; readonly payload?: AnswerPayload };
type Asking = { readonly digest: string; readonly withdrawn: AbortController };

/** An answer that could not be written down is asked for again; more often than this, the store is broken. */
const ASKED_AGAIN_MAX = 3;

/** Asks in an editor. Questions wait in the session, not here: the first answer counts, wherever it is given. */
export class EditorChannel implements ApprovalChannel {
  readonly #live: Live;
  readonly #editor: Editor;
  readonly #calls: ShownCalls;
  readonly #say: (text: string) => void;
  readonly #asking = new Map<string, Asking>();
  #closed = false;

  constructor(live: Live, editor: Editor, calls: ShownCalls, say: (text: string) => void) {
    this.#live = live;
    this.#editor = editor;
    this.#calls = calls;
    this.#say = say;
  }

  offer(call: AwaitingCall, again = 0): void {
    const { callId } = call.request;
    const { digest } = call.question;
    if (this.#closed || this.#asking.get(callId)?.digest === digest) return;
    this.withdraw(callId);
    const asking = { digest, withdrawn: new AbortController() };
    this.#asking.set(callId, asking);
    void this.#settle(call, asking, again);
  }

  /** Offers everything that waits in the session, also what was offered before: the editor may have forgotten. */
  offerAll(): void {
    for (const callId of [...this.#asking.keys()]) this.withdraw(callId);
    for (const call of this.#live.events.waiting) this.offer(call);
  }

  withdraw(callId: string): void {
    const asking = this.#asking.get(callId);
    this.#asking.delete(callId);
    asking?.withdrawn.abort();
  }

  /** No user can be asked any more. Questions stay open in the session. */
  close(): void {
    this.#closed = true;
    for (const callId of [...this.#asking.keys()]) this.withdraw(callId);
  }

  async #settle(call: AwaitingCall, asking: Asking, again: number): Promise<void> {
    const { callId } = call.request;
    const said = await this.#hear(call, asking.withdrawn.signal);
    if (said === null || this.#asking.get(callId) !== asking) return;
    // Before it is sent, or hearing that it was answered would take back what is answered already.
    this.#asking.delete(callId);
    const ack = await this.#live.session.send({
      type: 'answer',
      callId,
      digest: asking.digest,
      by: EDITOR,
      ...said,
    });
    if (ack.ok || this.#closed) return;
    this.#say(explain(ack.failure).message);
    const now = this.#live.events.waiting.find(({ request }) => request.callId === callId);
    if (now && !this.#asking.has(callId) && again < ASKED_AGAIN_MAX) this.offer(now, again + 1);
  }

  /** What the person says; null if they cannot say it any more. */
  async #hear(call: AwaitingCall, withdrawn: AbortSignal): Promise<Said | null> {
    try {
      return await this.#put(call, withdrawn);
    } catch (thrown) {
      // An editor that goes away has decided nothing.
      if (withdrawn.aborted || this.#editor.isGone) return null;
      // A question that cannot be shown would be waited for without end.
      const problem = thrown instanceof Error ? thrown.message : String(thrown);
      this.#say(`The editor could not ask about ${call.request.name}: ${problem}`);
      return declined('the editor could not show the question');
    }
  }

  async #put(call: AwaitingCall, withdrawn: AbortSignal): Promise<Said> {
    const toolCallId = this.#calls.idOf(call.request);
    const { confirmation } = call.question;
    if (confirmation.type === 'ask_user' && this.#editor.hasForms) {
      const { title, questions } = confirmation;
      return readForm(await this.#editor.fillIn(toolCallId, visibleLine(title), questions, withdrawn));
    }
    const choices = choicesOf(call.question);
    const options = choices.flatMap((choice) => optionFor(choice, call.question) ?? []);
    const { sessionUpdate: _, ...shown } = this.#calls.whole(call);
    const answer = await this.#editor.choose(shown, options, withdrawn);
    // Somebody stopped the agent rather than deciding about the call.
    if (answer.outcome === 'cancelled') return { outcome: 'cancel', payload: { stop: true } };
    const chosen = choices.find(({ id }) => id === answer.optionId);
    if (!chosen || !options.some(({ optionId }) => optionId === chosen.id))
      return declined(`the editor answered "${answer.optionId}", which the question did not offer`);
    const { outcome, payload } = chosen;
    return { outcome, ...(payload && { payload }) };
  }
}

const declined = (feedback: string): Said => ({ outcome: 'cancel', payload: { feedback } });
