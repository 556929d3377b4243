import { join } from 'node:path';
import type { PlanOutcome, Session } from '@countersign/kernel';
import {
  type Ack,
  type ApprovalMode,
  BY_PROGRAM_END,
  type CallRequest,
  type Command,
  type CommandIdentity,
  type Delivery,
  type Failure,
  type TokenUsage,
  type ToolCall,
  type UserMessage,
  type WantedCall,
} from '@countersign/protocol';
import { JournalError } from '../journal/index.js';
import type { TurnOutcome } from '../notes/turn-results.js';
import { planInTime } from '../planning/plan-in-time.js';
import type { Workers } from '../work/workers.js';
import { assemble, type SessionParts } from './assemble.js';
import { CallStream } from './call-stream.js';
import { earlierReply } from './earlier-reply.js';
import type { BatchOptions, BatchOutcome, OpenOptions } from './open-options.js';
import { runBatch } from './run-batch.js';

export type Opened =
  | { readonly ok: true; readonly session: SessionShell }
  | { readonly ok: false; readonly failure: Failure };

/** Open a session, new or existing. Fails if a living process already has it. */
export async function openSession(options: OpenOptions): Promise<Opened> {
  const { journal, sessionId } = options;
  try {
    const owned = await journal.own(sessionId, options.frontEnd, options.serverId, options.session);
    if (!owned.ok) return owned;
    const session = new SessionShell(options, assemble(options, owned));
    const failure = await session.begin();
    return failure ? { ok: false, failure } : { ok: true, session };
  } catch (thrown) {
    if (thrown instanceof JournalError) return { ok: false, failure: thrown.failure };
    throw thrown;
  }
}

/** A session that this process works on: the words in which the rest of the program uses it. `assemble` has how it works. */
export class SessionShell {
  readonly sessionId: string;
  readonly #options: OpenOptions;
  readonly #parts: SessionParts;
  #disposed: Promise<void> | null = null;

  /** Use `openSession`: a session needs an owner. */
  constructor(options: OpenOptions, parts: SessionParts) {
    this.sessionId = options.sessionId;
    this.#options = options;
    this.#parts = parts;
  }

  /** Read what is there, and write down that this process has taken it up. */
  async begin(): Promise<Failure | null> {
    const { writer, others, state, lifetime, subscribers, mailbox, now } = this.#parts;
    let goneGrants: readonly string[] = [];
    try {
      await writer.reload();
      goneGrants = await others.revokedMeanwhile(state.openCalls());
    } catch (thrown) {
      if (!(thrown instanceof JournalError)) throw thrown;
      await lifetime.end(thrown.failure);
      return thrown.failure;
    }
    subscribers.beginAt(state.seq);
    const { workspace, mode = null, policy, setup = null, identity = null } = this.#options;
    const replanned = await this.#planAgain();
    const opened = await mailbox.submit(
      {
        ...{ type: 'open', workspace, mode, policyHash: policy.hash, setup, goneGrants, replanned },
        at: now(),
      },
      { identity },
    );
    if (!opened.ok) {
      await lifetime.end(opened.failure);
      return opened.failure;
    }
    writer.takenUp();
    others.watch();
    return null;
  }

  /** What is about to start here was planned and granted in another process: it is judged again, and may be asked about. */
  async #planAgain(): Promise<ReadonlyMap<string, PlanOutcome>> {
    const { state, planning, planningLimit } = this.#parts;
    const startsHere = (call: ToolCall) =>
      call.status === 'scheduled' || (call.status === 'executing' && call.plan.repeat === 'safe');
    const planned = state
      .openCalls()
      .filter(startsHere)
      .map(async ({ request, ...call }) => {
        const needs = 'plan' in call ? call.plan?.needs : undefined;
        return [request.callId, await planInTime(request, planning, planningLimit, needs).outcome] as const;
      });
    return new Map(await Promise.all(planned));
  }

  // ---- What front ends use

  events(fromSeq: number, signal: AbortSignal): AsyncIterable<readonly Delivery[]> {
    return this.#parts.subscribers.subscribe(fromSeq, signal);
  }

  async send(command: Command, signal?: AbortSignal): Promise<Ack> {
    return this.#parts.receiver.accept(command, null, signal);
  }

  /** Run a batch to its end. Calls come back in request order. */
  schedule(wanted: readonly WantedCall[], options: BatchOptions = {}): Promise<BatchOutcome> {
    const { tools } = this.#options;
    const { lifetime, mailbox, notes, now } = this.#parts;
    return runBatch(wanted, options, { tools, lifetime, mailbox, results: notes.results, now });
  }

  /** Take the calls of a model's answer one by one, as they come. */
  stream(options: BatchOptions = {}): CallStream {
    const { tools } = this.#options;
    const { lifetime, mailbox, previews, now } = this.#parts;
    return new CallStream(
      {
        tools,
        now,
        submit: (input, onTurn) => {
          const failure = lifetime.refusal;
          return failure
            ? Promise.resolve({ ok: false, failure })
            : mailbox.submit(input, onTurn ? { onTurn } : {});
        },
        takePlanned: (turn) => previews.take(turn),
        turnEnded: (turn) => this.turnEnded(turn),
        cancelTurn: (turn) => mailbox.cancel({ type: 'turn', turn }, 'caller'),
      },
      options,
    );
  }

  /** Where the whole of what a call gave is kept, if it is too much to be shown. */
  whereKept(request: CallRequest): string {
    return join(this.#parts.kept.of(request), 'result.txt');
  }

  /** Keep what was said to the model. */
  say(message: UserMessage, identity?: CommandIdentity): Promise<Ack> {
    const input = { type: 'say', message, at: this.#parts.now() } as const;
    return this.#parts.mailbox.submit(input, { identity: identity ?? null });
  }

  /** The reply to a command that was sent before; null if it is new. */
  replyTo(identity: CommandIdentity): Ack | null {
    return earlierReply(this.#parts.state.session, identity);
  }

  /** Kept with the session: if this process dies, the next owner knows whether the model was at work. */
  noteModel(isAtWork: boolean): Promise<void> {
    return this.#parts.noteModel(isAtWork);
  }

  /** From now on the model is shown a summary of all messages before `keptFrom`. */
  compress(summary: string, keptFrom: number, usage: TokenUsage | null): Promise<Ack> {
    return this.#parts.mailbox.submit({ type: 'compress', summary, keptFrom, usage, at: this.#parts.now() });
  }

  /** From now on the model is shown references in place of what calls up to this turn gave. */
  mask(throughTurn: number): Promise<Ack> {
    return this.#parts.mailbox.submit({ type: 'mask', throughTurn, at: this.#parts.now() });
  }

  /** The results of an open turn, once it is over. */
  turnEnded(turn: number): Promise<TurnOutcome> {
    return this.#parts.notes.results.wait(turn);
  }

  /** The calls of the open turns as they are now, in request order; made on demand. */
  snapshot(): readonly ToolCall[] {
    return this.#parts.state.openCalls();
  }

  get openTurns(): readonly number[] {
    return this.#parts.state.session.turns.map(({ turn }) => turn);
  }

  /** The number the next turn will have. */
  get nextTurn(): number {
    return this.#parts.state.session.lastTurn + 1;
  }

  get mode(): ApprovalMode {
    return this.#parts.state.session.mode;
  }

  /** How many facts the session has. */
  get seq(): number {
    return this.#parts.state.seq;
  }

  /** Why this session can no longer be used; null while it can. */
  get ended(): Failure | null {
    return this.#parts.lifetime.ended;
  }

  /** Fires when it begins to be left, before what runs in it is cancelled. */
  get leaving(): AbortSignal {
    return this.#parts.lifetime.leaving;
  }

  /** Resolves when nothing runs and nothing is about to: every open call waits for a person, or there is none. */
  async idle(): Promise<void> {
    const isIdle = () => this.#parts.mailbox.isEmpty && this.#parts.workers.size === 0;
    while (!this.ended && !isIdle()) await this.#parts.changes.next();
  }

  /** Compares the work under way with what the state wants: equal whenever the mailbox is empty. For tests. */
  inspect(): {
    readonly session: Session;
    readonly underWay: ReturnType<Workers['underWay']>;
    readonly idle: boolean;
  } {
    return {
      session: this.#parts.state.session,
      underWay: this.#parts.workers.underWay(),
      idle: this.#parts.mailbox.isEmpty,
    };
  }

  /**
   * Stop what runs here, and leave. Running calls are cancelled and recorded as
   * such; questions stay in the journal for the next owner.
   */
  dispose(): Promise<void> {
    this.#disposed ??= this.#dispose();
    return this.#disposed;
  }

  async #dispose(): Promise<void> {
    const { lifetime, mailbox, state, changes } = this.#parts;
    lifetime.close();
    for (const { status, request } of this.snapshot())
      if (status === 'executing') mailbox.cancel({ type: 'call', callId: request.callId }, BY_PROGRAM_END);
    while (!this.ended && (state.session.running > 0 || !mailbox.isEmpty)) await changes.next();
    await lifetime.end({ code: 'disposed' });
  }
}
