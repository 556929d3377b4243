import type { AgentEvent, Ending } from '@countersign/agent';
import { isStopped } from '@countersign/attach';
import type { Event, Fact, Failure, MessagePart } from '@countersign/protocol';
import { Refusal } from '../contract/problems.js';
import type { AgentFound, OpenedSession } from './ports.js';

/**
 * Keeps the model at work on a session as long as there is something for it:
 * a message, here or left by another process, or results of calls that it has
 * not seen since their approval took longer than the process that asked.
 */
export class AgentWork {
  readonly #opened: OpenedSession;
  readonly #onTrouble: (text: string) => void;
  readonly #listeners = new Set<(event: AgentEvent) => void>();
  /** Senders that wait until their message is stored, by its id. */
  readonly #unsaid = new Map<string, () => void>();
  readonly #stopListening: () => void;
  #stop: AbortController | null = null;
  /** How often it was cancelled: what was about to begin then does not. */
  #cancels = 0;
  /** Somebody spoke after the work was stopped, and before it had ended. */
  #isSpokenTo = false;
  #isOver = false;

  constructor(opened: OpenedSession, onTrouble: (text: string) => void) {
    this.#opened = opened;
    this.#onTrouble = onTrouble;
    this.#stopListening = opened.live.events.subscribe({ onFact: (fact) => this.#hear(fact) });
  }

  get isWorking(): boolean {
    return this.#stop !== null;
  }

  /** What a model says while it says it. Returns how to stop listening. */
  listen(listener: (event: AgentEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when the message is written down, or with why it is not; the work continues. Throws a `Refusal`. */
  async say(parts: readonly MessagePart[], by: string, promptId: string): Promise<Failure | null> {
    const cancels = this.#cancels;
    const found = await this.#opened.agent();
    if (!found.ok) return found.failure;
    if (cancels !== this.#cancels) throw new Refusal({ code: 'stopped_meanwhile' });
    const { agent } = found;
    if (this.#stop) {
      // Heard between two requests of the model.
      const ack = await this.#opened.live.session.send({ type: 'prompt', parts, by, promptId });
      return ack.ok ? null : ack.failure;
    }
    return new Promise((resolve) => {
      this.#unsaid.set(promptId, () => resolve(null));
      const ended = this.#work((signal) => agent.prompt(parts, { signal, by, promptId }));
      void ended.then((ending) => {
        this.#unsaid.delete(promptId);
        resolve(ending.type === 'failed' ? ending.failure : null);
      });
    });
  }

  /**
   * Asks the model for the answer that it owes: to a message, or to the results of calls that ended before anything here
   * listened. Open calls wake it by their end.
   */
  continueUnanswered(): void {
    const { conversation, session } = this.#opened.live;
    const last = conversation.messages.at(-1);
    if (session.openTurns.length > 0 || last === undefined) return;
    if (last.role === 'user' || (last.turn !== null && !conversation.resultsOf(last.turn).some(isStopped)))
      void this.#goOn();
  }

  /** The caller cancels the calls that are under way. */
  cancel(): void {
    this.#cancels++;
    this.#stop?.abort();
  }

  /**
   * Leaves the session without cancelling anything: what is asked stays asked. Only when it is left is the model
   * stopped, since before that its calls would be cancelled with it.
   */
  async leave(): Promise<void> {
    this.#isOver = true;
    this.#stopListening();
    await this.#opened.leave();
    this.#stop?.abort();
  }

  #hear({ event }: Fact): void {
    if (event.type === 'message.added') this.#unsaid.get(event.message.promptId)?.();
    if (!this.#isForModel(event)) return;
    // Who writes facts is not to be held up by what follows from them.
    if (!this.#stop) setImmediate(() => void this.#goOn());
    else if (this.#stop.signal.aborted && event.type === 'message.added') this.#isSpokenTo = true;
  }

  /** A message that somebody left here, or the end of a turn that the model is waiting for, unless a person stopped it. */
  #isForModel(event: Event): boolean {
    const { conversation } = this.#opened.live;
    if (event.type === 'message.added') return event.message.role === 'user';
    if (event.type !== 'turn.ended') return false;
    const last = conversation.messages.at(-1);
    if (last?.role !== 'model' || last.turn !== event.turn) return false;
    return !conversation.resultsOf(event.turn).some(isStopped);
  }

  /** Never rejects: nobody waits for it. */
  async #goOn(): Promise<void> {
    if (this.#stop || this.#isOver) return;
    const cancels = this.#cancels;
    const found = await this.#findAgent();
    if (!found?.ok || this.#stop || this.#isOver || cancels !== this.#cancels) return;
    const promptId = this.#opened.live.conversation.messages.at(-1)?.promptId ?? '';
    await this.#work((signal) => found.agent.goOn({ signal, by: 'server', promptId }));
  }

  async #findAgent(): Promise<AgentFound | null> {
    try {
      return await this.#opened.agent();
    } catch (thrown) {
      this.#tellTrouble(thrown);
      return null;
    }
  }

  async #work(begin: (signal: AbortSignal) => AsyncGenerator<AgentEvent, Ending>): Promise<Ending> {
    const stop = new AbortController();
    this.#stop = stop;
    const { session } = this.#opened.live;
    void session.noteModel(true);
    const ending = await this.#follow(begin(stop.signal));
    this.#stop = null;
    if (!this.#isOver) void session.noteModel(false);
    // Something was typed in the moment between the last look at it and here. After a failure a person decides.
    const isHeard = ending.type !== 'answered' && !this.#isSpokenTo;
    this.#isSpokenTo = false;
    if (!isHeard && this.#opened.live.conversation.messages.at(-1)?.role === 'user') void this.#goOn();
    return ending;
  }

  async #follow(events: AsyncGenerator<AgentEvent, Ending>): Promise<Ending> {
    try {
      for (;;) {
        const next = await events.next();
        if (next.done) return next.value;
        for (const listener of this.#listeners) listener(next.value);
      }
    } catch (thrown) {
      return { type: 'failed', failure: { code: 'internal', message: this.#tellTrouble(thrown) } };
    }
  }

  #tellTrouble(thrown: unknown): string {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    this.#onTrouble(`The agent of ${this.#opened.live.session.sessionId} failed: ${message}`);
    return message;
  }
}
