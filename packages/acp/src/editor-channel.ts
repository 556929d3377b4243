import type { LiveSession } from '@countersign/agent';
import type { ApprovalChannel } from '@countersign/client';
import { choicesOf, visibleLine } from '@countersign/display';
import { type AnswerPayload, type AwaitingCall, explain, type Outcome } from '@countersign/protocol';
import { optionsFor } from './calls/question.js';
import { readForm } from './calls/question-form.js';
import type { ShownCalls } from './calls/shown-calls.js';
import { EDITOR, type Editor } from './editor.js';

type Live = Pick<LiveSession, 'session' | 'events'>;
type Answer = { readonly outcome: Outcome; readonly payload?: AnswerPayload };
type Asking = { readonly digest: string; readonly withdrawn: AbortController };

/** A question is asked again if its answer could not be stored; after this many times the store is taken to be broken. */
const ASKED_AGAIN_MAX = 3;

/** Asks in an editor. Questions wait in the session, not here: the first answer counts, wherever it is given. */
export class EditorChannel implements ApprovalChannel {
  readonly #live: Live;
  readonly #editor: Editor;
  readonly #calls: ShownCalls;
  readonly #log: (text: string) => void;
  readonly #asking = new Map<string, Asking>();
  #closed = false;

  constructor(live: Live, editor: Editor, calls: ShownCalls, log: (text: string) => void) {
    this.#live = live;
    this.#editor = editor;
    this.#calls = calls;
    this.#log = log;
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
    const answer = await this.#ask(call, asking.withdrawn.signal);
    if (answer === null || this.#asking.get(callId) !== asking) return;
    // Before it is sent: the fact of the answer would otherwise withdraw a question that is answered.
    this.#asking.delete(callId);
    const ack = await this.#live.session.send({
      type: 'answer',
      callId,
      digest: asking.digest,
      by: EDITOR,
      ...answer,
    });
    if (ack.ok || this.#closed) return;
    this.#log(explain(ack.failure).message);
    const now = this.#live.events.waiting.find(({ request }) => request.callId === callId);
    if (now && !this.#asking.has(callId) && again < ASKED_AGAIN_MAX) this.offer(now, again + 1);
  }

  /** The user's answer; null if the question was withdrawn or the editor disconnected. */
  async #ask(call: AwaitingCall, withdrawn: AbortSignal): Promise<Answer | null> {
    try {
      return await this.#request(call, withdrawn);
    } catch (thrown) {
      // An editor that disconnects has decided nothing.
      if (withdrawn.aborted || this.#editor.isDisconnected) return null;
      // A question that cannot be shown would stay open without limit.
      const problem = thrown instanceof Error ? thrown.message : String(thrown);
      this.#log(`The editor could not ask about ${call.request.name}: ${problem}`);
      return declined('the editor could not show the question');
    }
  }

  async #request(call: AwaitingCall, withdrawn: AbortSignal): Promise<Answer> {
    const toolCallId = this.#calls.idOf(call.request);
    const { confirmation } = call.question;
    if (confirmation.type === 'ask_user' && this.#editor.hasForms) {
      const { title, questions } = confirmation;
      return readForm(await this.#editor.fillIn(toolCallId, visibleLine(title), questions, withdrawn));
    }
    const answers = choicesOf(call.question).flatMap((choice) => optionsFor(choice, call.question));
    const options = answers.map(({ optionId, name, kind }) => ({ optionId, name, kind }));
    const { sessionUpdate: _, ...shown } = this.#calls.whole(call);
    const picked = await this.#editor.choose(shown, options, withdrawn);
    // The user stopped the agent instead of deciding about the call.
    if (picked.outcome === 'cancelled') return { outcome: 'cancel', payload: { stop: true } };
    const chosen = answers.find(({ optionId }) => optionId === picked.optionId);
    if (!chosen)
      return declined(`the editor answered "${picked.optionId}", which the question did not offer`);
    const { outcome, payload } = chosen;
    return { outcome, ...(payload && { payload }) };
  }
}

const declined = (feedback: string): Answer => ({ outcome: 'cancel', payload: { feedback } });
