import { type Circumstances, type Session, saidAlready } from '@countersign/kernel';
import type { Ack, Command, Failure } from '@countersign/protocol';
import { type AnsweredRow, JournalError, type Owner } from '../journal/index.js';
import type { AnswerListeners } from '../notes/answer-listeners.js';
import { failureThrown } from '../values/plain.js';
import type { Lifetime } from './lifetime.js';
import { isUnknownCall } from './mail.js';
import type { Mailbox } from './mailbox.js';
import type { OpenOptions } from './open-options.js';
import { type ReadingOptions, readCommand } from './read-command.js';
import type { SessionState } from './session-state.js';

export type ReceptionOptions = Pick<OpenOptions, 'journal' | 'sessionId'> & {
  /** This process, as others see it. */
  readonly owner: Owner;
  readonly lifetime: Lifetime;
  readonly mailbox: Mailbox;
  readonly circumstances: Circumstances;
  readonly answerListeners: AnswerListeners;
  readonly reading: ReadingOptions;
  readonly state: SessionState;
};

type Answer = Extract<Command, { type: 'answer' }>;

/**
 * Takes in what front ends say, here or through the inbox: reads it, sees whether
 * it was said before, tells the tool that waits for it, and hands it to the mailbox.
 */
export class Reception {
  readonly #options: ReceptionOptions;
  readonly #speakingAbout = new Map<string, Promise<void>>();

  constructor(options: ReceptionOptions) {
    this.#options = options;
  }

  /** What is said about one call is heard in the order it was said, though looking again takes time. */
  accept(command: Command, inboxId: number | null, signal?: AbortSignal): Promise<Ack> {
    if (command.type !== 'answer' && command.type !== 'modify')
      return this.#acceptNow(command, inboxId, signal);
    const { callId } = command;
    const before = this.#speakingAbout.get(callId);
    const speak = () => this.#acceptNow(command, inboxId, signal);
    const spoken = before ? before.then(speak) : speak();
    const forget = () => {
      if (this.#speakingAbout.get(callId) === done) this.#speakingAbout.delete(callId);
    };
    const done = spoken.then(forget, forget);
    this.#speakingAbout.set(callId, done);
    return spoken;
  }

  async #acceptNow(command: Command, inboxId: number | null, signal?: AbortSignal): Promise<Ack> {
    const {
      lifetime,
      mailbox,
      circumstances,
      answerListeners,
      reading: options,
      sessionId,
      owner,
    } = this.#options;
    if (lifetime.refusal) return { ok: false, failure: lifetime.refusal };
    const before =
      command.type === 'answer' && !this.#isOpen(command.callId) ? await this.#saidBefore(command) : null;
    if (before) return this.#settle(before, inboxId);
    const reading = await readCommand(command, this.#session, options).catch((thrown: unknown) => ({
      ok: false as const,
      failure: failureThrown(thrown),
    }));
    if (!reading.ok) return this.#settle(reading, inboxId);
    // Looking again takes time: who has given up meanwhile is not told what comes of it, so nothing may.
    if (signal?.aborted) return { ok: false, failure: { code: 'given_up', sessionId, ...owner.shown } };
    const told = await answerListeners.tell(this.#session, reading.input, circumstances);
    const ack = await mailbox.submit(told, { inboxId });
    answerListeners.askedAnew(this.#session, reading.input);
    if (command.type !== 'answer' || !isUnknownCall(ack)) return ack;
    // Its turn may have ended since we looked, and then the store knows what was said.
    return this.#settle((await this.#saidBefore(command)) ?? ack, inboxId);
  }

  /** What somebody said earlier about a call whose turn is over: forgotten here, but the store still knows. */
  async #saidBefore(command: Answer): Promise<Ack | null> {
    const { callId, key = null } = command;
    if (this.#isOpen(callId)) return null;
    const given = await this.#answerInStore(callId);
    if (!given) return null;
    if ('code' in given) return { ok: false, failure: given };
    if (saidAlready(given, { ...command, key }))
      return { ok: true, seq: this.#options.state.seq, repeated: true };
    return { ok: false, failure: { code: 'already_answered', callId, ...given } };
  }

  async #answerInStore(callId: string): Promise<AnsweredRow | Failure | null> {
    const { journal, sessionId } = this.#options;
    try {
      return await journal.answerOf(sessionId, callId);
    } catch (thrown) {
      if (thrown instanceof JournalError) return thrown.failure;
      throw thrown;
    }
  }

  /** Settled without the kernel; a command from the inbox is still consumed, so that its sender hears of it. */
  #settle(settled: Ack, inboxId: number | null): Ack {
    if (inboxId !== null)
      this.#options.mailbox.post({ input: null, settled, reply: null, inboxId, onTurn: null });
    return settled;
  }

  #isOpen(callId: string): boolean {
    return this.#session.calls.has(callId);
  }

  get #session(): Session {
    return this.#options.state.session;
  }
}
