import type { AgentEvent, Ending } from '@countersign/agent';
import { isStopped } from '@countersign/attach';
import type { CommandIdentity, Event, Fact, Failure, MessagePart } from '@countersign/protocol';
import { Refusal } from '../contract/problems.js';
import type { AgentFound, LeaveReason, OpenedSession } from './ports.js';

export type NewMessage = {
  readonly parts: readonly MessagePart[];
  readonly by: string;
  readonly promptId: string;
  readonly identity?: CommandIdentity;
};

/**
 * Runs the model on a session as long as there is work: a message, sent here or by another process, or results of
 * calls that the model has not seen because their approval outlasted the process that asked.
 */
export class AgentWork {
  readonly #opened: OpenedSession;
  readonly #onTrouble: (text: string) => void;
  readonly #listeners = new Set<(event: AgentEvent) => void>();
  /** Senders that wait until their message is stored, by its id. */
  readonly #unstored = new Map<string, () => void>();
  readonly #stopListening: () => void;
  /** Resolves when the hooks for the start of the session have ended: new calls and messages wait for it. */
  readonly begun: Promise<void>;
  #stop: AbortController | null = null;
  /** How often it was cancelled: work that was about to begin then does not. */
  #cancels = 0;
  /** A message arrived after the work was stopped, and before it had ended. */
  #hasNewMessage = false;
  #isOver = false;

  constructor(opened: OpenedSession, onTrouble: (text: string) => void) {
    this.#opened = opened;
    this.#onTrouble = onTrouble;
    this.#stopListening = opened.live.events.subscribe({ onFact: (fact) => this.#onFact(fact) });
    this.begun = this.#begin();
  }

  get isWorking(): boolean {
    return this.#stop !== null;
  }

  /** Subscribes to live output of the model. Returns the function that unsubscribes. */
  listen(listener: (event: AgentEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when the message is stored, or with the failure; the work continues. Throws a `Refusal`. */
  async sendMessage(message: NewMessage): Promise<Failure | null> {
    const { parts, by, promptId, identity } = message;
    const cancels = this.#cancels;
    const found = await this.#opened.agent();
    if (!found.ok) return found.failure;
    if (cancels !== this.#cancels) throw new Refusal({ code: 'stopped_meanwhile' });
    if (this.#isOver) return { code: 'disposed' };
    const { agent } = found;
    const { session } = this.#opened.live;
    // The same request may have been handled while the model was looked for.
    const earlier = identity && session.replyTo(identity);
    if (earlier) return earlier.ok ? null : earlier.failure;
    if (this.#stop) {
      // The agent reads it before its next request to the model.
      const ack = await session.send({ type: 'prompt', ...message });
      return ack.ok ? null : ack.failure;
    }
    return new Promise((resolve) => {
      this.#unstored.set(promptId, () => resolve(null));
      const ended = this.#work((signal) =>
        agent.prompt(parts, { signal, by, promptId, ...(identity && { identity }) }),
      );
      void ended.then((ending) => {
        this.#unstored.delete(promptId);
        // A message that was stored has been confirmed by now.
        const isLost = ending.type === 'cancelled' && this.#isOver;
        resolve(ending.type === 'failed' ? ending.failure : isLost ? { code: 'disposed' } : null);
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
      void this.#continue();
  }

  /** The caller cancels the calls that are under way. */
  cancel(): void {
    this.#cancels++;
    if (!this.#stop) return;
    this.#stop.abort();
    // The next owner does not ask a model that was stopped.
    void this.#opened.live.session.noteModel(false);
  }

  /** No model is asked from now on; its calls continue until the session is left. */
  prepareToLeave(): void {
    this.#isOver = true;
    this.#opened.live.prepareToLeave();
  }

  /**
   * Stops the model, then leaves the session: running calls are cancelled, open questions stay open. It stays recorded that the model
   * was at work, so that the next owner asks it again.
   */
  async leave(reason: LeaveReason): Promise<void> {
    this.prepareToLeave();
    this.#stopListening();
    await this.#opened.leave(reason);
    this.#stop?.abort();
  }

  async #begin(): Promise<void> {
    try {
      await this.#opened.begin((value) => this.#emit({ type: 'notice', value }));
    } catch (thrown) {
      this.#reportTrouble(thrown);
    }
  }

  #onFact({ event }: Fact): void {
    if (event.type === 'message.added') this.#unstored.get(event.message.promptId)?.();
    if (!this.#isForModel(event)) return;
    // Later, so that the writer of the fact is not delayed.
    if (!this.#stop) setImmediate(() => void this.#continue());
    else if (this.#stop.signal.aborted && event.type === 'message.added') this.#hasNewMessage = true;
  }

  /** A message of a user, or the end of a turn whose results the model needs, unless a user stopped it. */
  #isForModel(event: Event): boolean {
    const { conversation } = this.#opened.live;
    if (event.type === 'message.added') return event.message.role === 'user';
    if (event.type !== 'turn.ended') return false;
    const last = conversation.messages.at(-1);
    if (last?.role !== 'model' || last.turn !== event.turn) return false;
    return !conversation.resultsOf(event.turn).some(isStopped);
  }

  /** Never rejects: no caller awaits it. */
  async #continue(): Promise<void> {
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
      this.#reportTrouble(thrown);
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
    // A message may arrive between the agent's last read and here. After a failure, the user decides.
    const mayContinue = ending.type === 'answered' || this.#hasNewMessage;
    this.#hasNewMessage = false;
    if (mayContinue && this.#opened.live.conversation.messages.at(-1)?.role === 'user') void this.#continue();
    return ending;
  }

  async #follow(events: AsyncGenerator<AgentEvent, Ending>): Promise<Ending> {
    try {
      for (;;) {
        const next = await events.next();
        if (next.done) return next.value;
        this.#emit(next.value);
      }
    } catch (thrown) {
      return { type: 'failed', failure: { code: 'internal', message: this.#reportTrouble(thrown) } };
    }
  }

  #emit(event: AgentEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  #reportTrouble(thrown: unknown): string {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    this.#onTrouble(`The agent of ${this.#opened.live.session.sessionId} failed: ${message}`);
    return message;
  }
}
