import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Circumstances, judge, type PlanOutcome, type Session } from '@countersign/kernel';
import type {
  Ack,
  ApprovalMode,
  CallRequest,
  Command,
  Delivery,
  Failure,
  Plan,
  TokenUsage,
  ToolCall,
  UserMessage,
  WantedCall,
} from '@countersign/protocol';
import { JournalError } from '../journal/journal.js';
import { DEFAULT_LIMITS, type EngineLimits } from '../limits.js';
import { Audience } from './audience.js';
import { CallStream } from './call-stream.js';
import { EarlierEdits } from './earlier-edits.js';
import { GrantBook } from './grant-book.js';
import { KnownCommands } from './known-commands.js';
import { leaveTools } from './leave-tools.js';
import { Lifetime } from './lifetime.js';
import type { Work } from './mail.js';
import { Mailbox } from './mailbox.js';
import { Notes } from './notes.js';
import type { BatchOptions, BatchOutcome, OpenOptions } from './open-options.js';
import { OtherProcesses } from './other-processes.js';
import { type PlanningLimit, planInTime } from './plan-in-time.js';
import type { HookingOptions } from './plan-with-hooks.js';
import { Previews } from './previews.js';
import { Reception } from './reception.js';
import { runBatch } from './run-batch.js';
import { SessionDirectory } from './session-directory.js';
import { type Delay, startTimer } from './time.js';
import type { TurnOutcome } from './turn-results.js';
import { workReports } from './work-reports.js';
import { Workers } from './workers.js';
import { Writer } from './writer.js';

export type Opened =
  | { readonly ok: true; readonly session: SessionShell }
  | { readonly ok: false; readonly failure: Failure };

/** Take a session up, new or known. Fails if a living process already has it. */
export async function openSession(options: OpenOptions): Promise<Opened> {
  const { journal, sessionId } = options;
  try {
    const owned = await journal.own(sessionId);
    if (!owned.ok) return owned;
    const session = new SessionShell(options, owned.token);
    const failure = await session.begin();
    return failure ? { ok: false, failure } : { ok: true, session };
  } catch (thrown) {
    if (thrown instanceof JournalError) return { ok: false, failure: thrown.failure };
    throw thrown;
  }
}

/**
 * The imperative shell around the kernel, put together: what is said comes in at
 * the reception or from other processes, everything goes through one mailbox to
 * one writer, workers keep what runs equal to what the written state wants, and
 * then everybody is told. Here are the words in which the rest of the program uses it.
 */
export class SessionShell {
  readonly sessionId: string;
  readonly #options: OpenOptions;
  readonly #token: number;
  readonly #now: () => number;
  readonly #lifetime: Lifetime;
  readonly #mailbox: Mailbox;
  readonly #writer: Writer;
  readonly #others: OtherProcesses;
  readonly #reception: Reception;
  readonly #workers: Workers;
  readonly #audience: Audience;
  readonly #notes: Notes;
  readonly #circumstances: Circumstances;
  readonly #kept: SessionDirectory;
  readonly #planning: HookingOptions;
  readonly #planningLimit: PlanningLimit;
  readonly #previews = new Previews();
  #disposed: Promise<void> | null = null;
  #changeWaiters: (() => void)[] = [];

  /** Use `openSession`: a session needs its owner's token. */
  constructor(options: OpenOptions, token: number) {
    const { sessionId, workspace, journal, tools, policy, classify, outputs, hooks } = options;
    const limits = { ...DEFAULT_LIMITS, ...options.limits };
    const now = options.now ?? Date.now;
    const delay: Delay = options.delay ?? ((ms, signal) => sleep(ms, undefined, { signal }));
    const limit: PlanningLimit = {
      planTimeoutMs: limits.planTimeoutMs,
      timer: options.timer ?? startTimer,
    };
    this.sessionId = sessionId;
    this.#options = options;
    this.#token = token;
    this.#now = now;
    this.#kept = new SessionDirectory(outputs, sessionId);
    const edits = new EarlierEdits(tools, (request) => void planInTime(request, planning, limit));
    const notes = new Notes(edits);
    this.#notes = notes;
    const { answerListeners, seen } = notes;
    const commands = new KnownCommands();
    const isDenied = (request: CallRequest, plan: Plan) => this.#isDenied(request, plan);
    const planning: HookingOptions = {
      ...{ sessionId, workspace, tools, classify, kept: this.#kept, seen, edits, commands, isDenied },
      hooks: hooks ?? null,
    };
    this.#planning = planning;
    this.#planningLimit = limit;

    const lifetime = new Lifetime(delay, (failure) => this.#depart(failure));
    this.#lifetime = lifetime;
    const mailbox = new Mailbox({
      lifetime,
      now,
      take: (batch) => this.#writer.take(batch),
      isDue: () => this.#others.grantsAreStale,
      emptied: () => this.#changed(),
    });
    this.#mailbox = mailbox;
    const grants = new GrantBook();
    this.#others = new OtherProcesses({
      ...options,
      ...{ lifetime, grants, now },
      accept: (command, inboxId) => void this.#reception.accept(command, inboxId),
      wake: () => mailbox.wake(),
    });
    const circumstances: Circumstances = {
      policy,
      grants: grants.all,
      commandsOf: commands.of,
      hooksListen: (request) => hooks?.listensAfter(request) ?? false,
      limits: kernelLimits(limits, lifetime),
    };
    this.#circumstances = circumstances;
    this.#writer = new Writer({
      ...options,
      ...{ token, lifetime, circumstances, grants, notes },
      others: this.#others,
      act: (work) => this.#act(work),
      actAnew: () => this.#workers.reconcileAll(this.#writer.session),
      putBack: (mail) => mailbox.putBack(mail),
    });
    this.#audience = new Audience(options);
    this.#reception = new Reception({
      ...{ journal, sessionId, lifetime, mailbox, circumstances, answerListeners },
      reading: { ...planning, now, limit, over: lifetime.over },
      state: () => this.#writer,
    });
    const session = () => this.#writer.session;
    this.#workers = new Workers({
      ...planning,
      ...workReports({ tools, mailbox, notes, previews: this.#previews, now, session }),
      ...{ limits, delay, timer: limit.timer, now },
      live: (live) => this.#audience.show(live),
    });
  }

  /** Read what is there, and write down that this process has taken it up. */
  async begin(): Promise<Failure | null> {
    let goneGrants: readonly string[] = [];
    try {
      await this.#writer.reload();
      goneGrants = await this.#others.revokedMeanwhile(this.#writer.openCalls());
    } catch (thrown) {
      if (!(thrown instanceof JournalError)) throw thrown;
      await this.#lifetime.end(thrown.failure);
      return thrown.failure;
    }
    this.#audience.beginAt(this.seq);
    const { workspace, mode = null, policy, setup = null } = this.#options;
    const policyHash = policy.hash;
    const replanned = await this.#planAgain();
    const opened = await this.#mailbox.submit({
      ...{ type: 'open', workspace, mode, policyHash, setup, goneGrants, replanned },
      at: this.#now(),
    });
    if (!opened.ok) {
      await this.#lifetime.end(opened.failure);
      return opened.failure;
    }
    this.#writer.takenUp();
    this.#others.watch();
    return null;
  }

  /** What is about to start here was planned and granted in another process: it is judged again, and may be asked about. */
  async #planAgain(): Promise<ReadonlyMap<string, PlanOutcome>> {
    const startsHere = (call: ToolCall) =>
      call.status === 'scheduled' || (call.status === 'executing' && call.plan.repeat === 'safe');
    const planned = this.#writer
      .openCalls()
      .filter(startsHere)
      .map(async ({ request, ...call }) => {
        const needs = 'plan' in call ? call.plan?.needs : undefined;
        const outcome = await planInTime(request, this.#planning, this.#planningLimit, needs).outcome;
        return [request.callId, outcome] as const;
      });
    return new Map(await Promise.all(planned));
  }

  // ---- What front ends use

  events(fromSeq: number, signal: AbortSignal): AsyncIterable<readonly Delivery[]> {
    return this.#audience.subscribe(fromSeq, signal);
  }

  async send(command: Command, signal?: AbortSignal): Promise<Ack> {
    return this.#reception.accept(command, null, signal);
  }

  /** Run a batch to its end. Calls come back in request order. */
  schedule(wanted: readonly WantedCall[], options: BatchOptions = {}): Promise<BatchOutcome> {
    return runBatch(wanted, options, {
      tools: this.#options.tools,
      lifetime: this.#lifetime,
      mailbox: this.#mailbox,
      results: this.#notes.results,
      now: this.#now,
    });
  }

  /** Take the calls of a model's answer one by one, as they come. */
  stream(options: BatchOptions = {}): CallStream {
    const mailbox = this.#mailbox;
    return new CallStream(
      {
        tools: this.#options.tools,
        now: this.#now,
        submit: (input, onTurn) => {
          const failure = this.#lifetime.refusal;
          return failure
            ? Promise.resolve({ ok: false, failure })
            : mailbox.submit(input, onTurn ? { onTurn } : {});
        },
        takePlanned: (turn) => this.#previews.take(turn),
        turnEnded: (turn) => this.turnEnded(turn),
        cancelTurn: (turn) => mailbox.cancel({ type: 'turn', turn }, 'caller'),
      },
      options,
    );
  }

  /** Where the whole of what a call gave is kept, if it is too much to be shown. */
  whereKept(request: CallRequest): string {
    return join(this.#kept.of(request), 'result.txt');
  }

  /** Keep what was said to the model. */
  say(message: UserMessage): Promise<Ack> {
    return this.#mailbox.submit({ type: 'say', message, at: this.#now() });
  }

  /** From now on the model is shown a summary of all messages before `keptFrom`. */
  compress(summary: string, keptFrom: number, usage: TokenUsage | null): Promise<Ack> {
    return this.#mailbox.submit({ type: 'compress', summary, keptFrom, usage, at: this.#now() });
  }

  /** From now on the model is shown references in place of what calls up to this turn gave. */
  mask(throughTurn: number): Promise<Ack> {
    return this.#mailbox.submit({ type: 'mask', throughTurn, at: this.#now() });
  }

  /** What an open turn comes to, once it is over. */
  turnEnded(turn: number): Promise<TurnOutcome> {
    return this.#notes.results.wait(turn);
  }

  /** The calls of the open turns as they are now, in request order; made on demand. */
  snapshot(): readonly ToolCall[] {
    return this.#writer.openCalls();
  }

  get openTurns(): readonly number[] {
    return this.#writer.session.turns.map(({ turn }) => turn);
  }

  /** The number the next turn will have. */
  get nextTurn(): number {
    return this.#writer.session.lastTurn + 1;
  }

  get mode(): ApprovalMode {
    return this.#writer.session.mode;
  }

  /** How many facts the session has. */
  get seq(): number {
    return this.#writer.seq;
  }

  /** Why this session can no longer be used; null while it can. */
  get ended(): Failure | null {
    return this.#lifetime.ended;
  }

  /** Resolves when nothing runs and nothing is about to: every open call waits for a person, or there is none. */
  async idle(): Promise<void> {
    const isIdle = () => this.#mailbox.isEmpty && this.#workers.size === 0;
    while (!this.ended && !isIdle()) await this.#nextChange();
  }

  /** Compares the work under way with what the state wants: equal whenever the mailbox is empty. For tests. */
  inspect(): {
    readonly session: Session;
    readonly underWay: ReturnType<Workers['underWay']>;
    readonly idle: boolean;
  } {
    return {
      session: this.#writer.session,
      underWay: this.#workers.underWay(),
      idle: this.#mailbox.isEmpty,
    };
  }

  /**
   * Stop what runs here, and leave. Running calls are cancelled and recorded as
   * such; questions stay in the journal for whoever takes the session up next.
   */
  dispose(): Promise<void> {
    this.#disposed ??= this.#dispose();
    return this.#disposed;
  }

  async #dispose(): Promise<void> {
    this.#lifetime.close();
    for (const { status, request } of this.snapshot())
      if (status === 'executing') this.#mailbox.cancel({ type: 'call', callId: request.callId }, 'dispose');
    while (!this.ended && (this.#writer.session.running > 0 || !this.#mailbox.isEmpty))
      await this.#nextChange();
    await this.#lifetime.end({ code: 'disposed' });
  }

  // ---- What follows from what is written

  #act(work: Work): void {
    this.#workers.reconcile(this.#writer.session);
    this.#audience.tell(work);
    this.#notes.release();
    this.#changed();
  }

  async #depart(failure: Failure): Promise<void> {
    this.#others.unwatch();
    const isTaken = failure.code === 'owner_lost' || failure.code === 'another_writer';
    this.#workers.stopAll(isTaken ? 'another process' : 'nobody');
    this.#notes.giveUp(failure);
    this.#mailbox.giveUp(failure);
    this.#audience.close();
    this.#changed();
    if (!isTaken) await leaveTools(this.#options, this.#kept);
    await this.#options.journal.release(this.sessionId, this.#token).catch((thrown: unknown) => {
      if (!(thrown instanceof JournalError)) throw thrown;
    });
  }

  /** Whether nothing but another rule could let it run: where only somebody to ask is missing, a hook may speak for them. */
  #isDenied(request: CallRequest, plan: Plan): boolean {
    const judgement = judge(this.#writer.session, request, plan, this.#now(), this.#circumstances);
    return judgement.type === 'denied' && judgement.verdict.because !== 'unattended';
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => this.#changeWaiters.push(resolve));
  }

  #changed(): void {
    const waiters = this.#changeWaiters;
    if (waiters.length === 0) return;
    this.#changeWaiters = [];
    for (const resolve of waiters) resolve();
  }
}

/** Once the session is being left, nothing new starts. */
const kernelLimits = (
  { attemptsMax, backoffMs, runningMax }: EngineLimits,
  lifetime: Lifetime,
): Circumstances['limits'] => ({
  attemptsMax,
  backoffMs,
  get runningMax() {
    return lifetime.closing ? 0 : runningMax;
  },
});
