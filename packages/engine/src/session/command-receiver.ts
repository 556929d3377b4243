import { type Circumstances, isSameAnswer, notApplied, type Session } from '@countersign/kernel';
import type { Ack, Command, Failure } from '@countersign/protocol';
import { type AnsweredRow, JournalError, type Owner } from '../journal/index.js';
import type { AnswerListeners } from '../notes/answer-listeners.js';
import { failureThrown } from '../values/plain.js';
import { earlierReply } from './earlier-reply.js';
import type { Lifetime } from './lifetime.js';
import { isUnknownCall } from './mail.js';
import type { Mailbox } from './mailbox.js';
import type { OpenOptions } from './open-options.js';
import { digestOfPayload, type ReadingOptions, readCommand } from './read-command.js';
import type { SessionState } from './session-state.js';

export type CommandReceiverOptions = Pick<OpenOptions, 'journal' | 'sessionId'> & {
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
 * Receives commands of front ends, here or through the inbox: reads each one, checks
 * whether it repeats an earlier answer, notifies the tool that waits for an answer,
 * and submits it to the mailbox.
 */
export class CommandReceiver {
  readonly #options: CommandReceiverOptions;
  /** By call id: resolves when the last command about the call is handled. */
  readonly #underWay = new Map<string, Promise<void>>();

  constructor(options: CommandReceiverOptions) {
    this.#options = options;
  }

  /** Commands about one call are handled in the order of their arrival, though planning again takes time. */
  accept(command: Command, inboxId: number | null, signal?: AbortSignal): Promise<Ack> {
    if (command.type !== 'answer' && command.type !== 'modify')
      return this.#acceptNow(command, inboxId, signal);
    const { callId } = command;
    const before = this.#underWay.get(callId);
    const accept = () => this.#acceptNow(command, inboxId, signal);
    const accepted = before ? before.then(accept) : accept();
    const forget = () => {
      if (this.#underWay.get(callId) === done) this.#underWay.delete(callId);
    };
    const done = accepted.then(forget, forget);
    this.#underWay.set(callId, done);
    return accepted;
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
    // Before it is read: a tool that receives answers must not receive one twice.
    const { identity = null } = command;
    const earlier = identity && earlierReply(this.#session, identity);
    if (earlier) return this.#settle(earlier, inboxId);
    const before =
      command.type === 'answer' && !this.#isOpen(command.callId) ? await this.#answeredBefore(command) : null;
    if (before) return this.#settle(before, inboxId);
    const reading = await readCommand(command, this.#session, options).catch((thrown: unknown) => ({
      ok: false as const,
      failure: failureThrown(thrown),
    }));
    if (!reading.ok) return this.#settle(reading, inboxId);
    // Planning again takes time: a command whose sender has stopped waiting must have no effect.
    if (signal?.aborted) return { ok: false, failure: { code: 'given_up', sessionId, ...owner.shown } };
    const submitted = await answerListeners.notify(this.#session, reading.input, circumstances);
    const ack = await mailbox.submit(submitted, { inboxId, identity });
    answerListeners.askedAgain(this.#session, reading.input);
    if (command.type !== 'answer' || !isUnknownCall(ack)) return ack;
    // Its turn may have ended meanwhile; then the store has the answer.
    return this.#settle((await this.#answeredBefore(command)) ?? ack, inboxId);
  }

  /** The recorded answer to a call whose turn is over: no longer in memory, but in the store. */
  async #answeredBefore(command: Answer): Promise<Ack | null> {
    const { callId, key = null, payload = {} } = command;
    if (this.#isOpen(callId)) return null;
    const given = await this.#answerInStore(callId);
    if (!given) return null;
    if ('code' in given) return { ok: false, failure: given };
    const late = { ...command, key, payload, ...digestOfPayload(payload) };
    if (isSameAnswer(given, late)) return { ok: true, seq: this.#options.state.seq, repeated: true };
    const { by, at, outcome } = given;
    return {
      ok: false,
      failure: { code: 'already_answered', callId, by, at, outcome, ...notApplied(given, late) },
    };
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

  /** Settled without the kernel; a command from the inbox is still consumed, so that its sender gets the result. */
  #settle(settled: Ack, inboxId: number | null): Ack {
    if (inboxId !== null)
      this.#options.mailbox.post({
        input: null,
        settled,
        reply: null,
        inboxId,
        onTurn: null,
        identity: null,
      });
    return settled;
  }

  #isOpen(callId: string): boolean {
    return this.#session.calls.has(callId);
  }

  get #session(): Session {
    return this.#options.state.session;
  }
}
