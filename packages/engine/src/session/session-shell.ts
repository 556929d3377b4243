import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Circumstances,
  emptySession,
  evolve,
  type Input,
  judge,
  type Session,
  turnOf,
} from '@countersign/kernel';
import type {
  Ack,
  ApprovalMode,
  AskedQuestion,
  CallRequest,
  Command,
  Failure,
  Json,
  Plan,
  TokenUsage,
  ToolCall,
  UserMessage,
  WantedCall,
} from '@countersign/protocol';
import type { Delivery, SessionClient } from '../client.js';
import { type AnsweredRow, type AppendFailure, JournalError } from '../journal/journal.js';
import { DEFAULT_LIMITS } from '../limits.js';
import { AnswerListeners } from './answer-listeners.js';
import { CallStream } from './call-stream.js';
import { EarlierEdits } from './earlier-edits.js';
import { Feed } from './feed.js';
import { FilesSeen } from './files-seen.js';
import { GrantBook } from './grant-book.js';
import { KnownCommands } from './known-commands.js';
import { decideAll, isUnknownCall, type Mail, report, type Work } from './mail.js';
import { NestedCalls } from './nested-calls.js';
import type { BatchOptions, BatchOutcome, OpenOptions, Watcher } from './open-options.js';
import { failureThrown, plainObject, wordsOf } from './plain.js';
import { type PlanningLimit, planInTime } from './plan-in-time.js';
import type { HookingOptions } from './plan-with-hooks.js';
import { Previews } from './previews.js';
import { readCommand } from './read-command.js';
import { readBatch } from './requests.js';
import { SessionDirectory } from './session-directory.js';
import { type Delay, startTimer } from './time.js';
import { type TurnOutcome, TurnResults } from './turn-results.js';
import { Workers } from './workers.js';

export type Opened =
  | { readonly ok: true; readonly session: SessionShell }
  | { readonly ok: false; readonly failure: Failure };

/** Between tries of a journal that failed: long enough not to hammer a full disk, short enough to go on soon. */
const JOURNAL_RETRY_MS = 250;
/** Who leaves does not wait for a broken journal for ever: what is not written by then is found as after a crash. */
const CLOSING_TRIES_MAX = 4;
/** A grant whose last uses are fought over more often than this is not worth another round. */
const CLAIM_ROUNDS_MAX = 5;

/** The tool whose confirmation is a list of questions. */
const ASKING_TOOL = 'ask_user';

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
 * The imperative shell around the kernel: one mailbox, one writer. Facts are
 * written down before anything acts on them, running work is kept equal to what
 * the state wants, and then everybody is told.
 */
export class SessionShell implements SessionClient {
  readonly sessionId: string;
  readonly #options: OpenOptions;
  readonly #token: number;
  readonly #now: () => number;
  readonly #delay: Delay;
  readonly #planningLimit: PlanningLimit;
  readonly #grants = new GrantBook();
  readonly #circumstances: Circumstances;
  readonly #workers: Workers;
  readonly #results = new TurnResults();
  readonly #inboxTaken = new Set<number>();
  readonly #speakingAbout = new Map<string, Promise<void>>();
  readonly #answerListeners = new AnswerListeners();
  readonly #kept: SessionDirectory;
  readonly #seen = new FilesSeen();
  readonly #commands = new KnownCommands();
  readonly #previews = new Previews();
  readonly #nested = new NestedCalls();
  readonly #planning: HookingOptions;
  #state: Session;
  #seq = 0;
  #feed: Feed;
  #mail: Mail[] = [];
  #draining = false;
  #drainNext = false;
  #drainSoon: NodeJS.Immediate | null = null;
  /** What the drain under way took from the mailbox. */
  #inHand: readonly Mail[] = [];
  #looking = false;
  #lookAgain = false;
  #grantsAreStale = false;
  #unwatch: (() => void) | null = null;
  /** Which life of the session this is; 0 until it is written down that this process has taken it up. */
  #epoch = 0;
  #closing = false;
  #disposed: Promise<void> | null = null;
  #triesWhileClosing = 0;
  #ended: Failure | null = null;
  #left: Promise<void> | null = null;
  readonly #over = new AbortController();
  #changeWaiters: (() => void)[] = [];

  /** Use `openSession`: a session needs its owner's token. */
  constructor(options: OpenOptions, token: number) {
    const limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.sessionId = options.sessionId;
    this.#options = options;
    this.#token = token;
    this.#now = options.now ?? Date.now;
    this.#delay = options.delay ?? ((ms, signal) => sleep(ms, undefined, { signal }));
    this.#planningLimit = { planTimeoutMs: limits.planTimeoutMs, timer: options.timer ?? startTimer };
    this.#state = emptySession(options.sessionId);
    this.#feed = this.#newFeed();
    const runningMax = () => (this.#closing ? 0 : limits.runningMax);
    this.#circumstances = {
      policy: options.policy,
      grants: this.#grants.all,
      commandsOf: this.#commands.of,
      hooksListen: (request) => options.hooks?.listensAfter(request) ?? false,
      limits: {
        attemptsMax: limits.attemptsMax,
        backoffMs: limits.backoffMs,
        get runningMax() {
          return runningMax();
        },
      },
    };
    const { sessionId, workspace, tools, classify, outputs } = options;
    this.#kept = new SessionDirectory(outputs, sessionId);
    const edits = new EarlierEdits(
      tools,
      (request) => void planInTime(request, this.#planning, this.#planningLimit),
    );
    this.#planning = {
      sessionId,
      workspace,
      tools,
      classify,
      kept: this.#kept,
      seen: this.#seen,
      edits,
      commands: this.#commands,
      hooks: options.hooks ?? null,
      isDenied: (request, plan) => this.#isDenied(request, plan),
    };
    this.#workers = new Workers({
      ...this.#planning,
      limits,
      delay: this.#delay,
      timer: this.#planningLimit.timer,
      now: this.#now,
      planned: ({ callId, turn, revision }, { outcome, hooked }) => {
        this.#answerListeners.planned(callId, outcome);
        if (turnOf(this.#state, turn)?.sealed === false) this.#previews.keep(turn, callId, outcome);
        this.#report({ type: 'plan.ended', callId, turn, revision, outcome, hooked, at: this.#now() });
      },
      ran: ({ callId, turn }, attempt, outcome, widened) => {
        if (widened) this.#answerListeners.planned(callId, widened);
        this.#report({ type: 'tool.ended', callId, turn, attempt, outcome, widened, at: this.#now() });
      },
      hooked: ({ callId, turn }, attempt, looked) =>
        this.#report({ type: 'hooks.ended', callId, turn, attempt, ...looked, at: this.#now() }),
      ask: (request, questions, signal) => this.#ask(request, questions, signal),
      setMode: (mode, by) => this.#report({ type: 'set-mode', mode, by, at: this.#now() }),
      live: (live) => {
        this.#feed.publishLive(live);
        if (options.watcher?.onLive) this.#tellWatcher((watcher) => watcher.onLive?.(live));
      },
    });
  }

  /** Read what is there, and write down that this process has taken it up. */
  async begin(): Promise<Failure | null> {
    let goneGrants: readonly string[] = [];
    try {
      await this.#reload();
      goneGrants = await this.#revokedMeanwhile();
    } catch (thrown) {
      if (!(thrown instanceof JournalError)) throw thrown;
      await this.#leave(thrown.failure);
      return thrown.failure;
    }
    this.#feed = this.#newFeed();
    const { workspace, mode = null, policy, journal } = this.#options;
    const opened = await this.#submit({
      type: 'open',
      workspace,
      mode,
      policyHash: policy.hash,
      goneGrants,
      at: this.#now(),
    });
    if (!opened.ok) {
      await this.#leave(opened.failure);
      return opened.failure;
    }
    this.#epoch = this.#state.epoch;
    this.#unwatch = journal.watch(() => void this.#look());
    void this.#look();
    return null;
  }

  // ---- What front ends use

  events(fromSeq: number, signal: AbortSignal): AsyncIterable<readonly Delivery[]> {
    return this.#feed.subscribe(fromSeq, signal);
  }

  async send(command: Command): Promise<Ack> {
    return this.#accept(command, null);
  }

  /** Run a batch to its end. Calls come back in request order. */
  async schedule(wanted: readonly WantedCall[], options: BatchOptions = {}): Promise<BatchOutcome> {
    if (this.#ended || this.#closing) return { ok: false, failure: this.#ended ?? { code: 'disposed' } };
    const { signal, start = 'as_granted', attended = 'somebody', whenBusy = 'queue' } = options;
    const at = this.#now();
    const somebody = attended === 'somebody';
    let outcome: Promise<TurnOutcome> | undefined;
    const accepted = await this.#submit(
      // Without a name of its own, or this function would hold on to what it read until the turn is over.
      {
        type: 'call',
        calls: readBatch(wanted, this.#options.tools, at),
        start,
        attended: somebody,
        whenBusy,
        at,
      },
      {
        onTurn: (turn) => {
          outcome = this.#results.wait(turn);
          options.onTurn?.(turn);
        },
      },
    );
    if (!accepted.ok) return accepted;
    const { turn = 0 } = accepted;
    const target = { type: 'turn', turn } as const;
    // As a report: nobody hears what came of it, so it must not be given up on when the journal fails.
    const cancel = () => this.#post(report({ type: 'cancel', target, by: 'caller', at: this.#now() }));
    if (signal?.aborted) cancel();
    else signal?.addEventListener('abort', cancel);
    const ended = await outcome;
    signal?.removeEventListener('abort', cancel);
    return ended?.ok
      ? { ok: true, turn, calls: ended.calls }
      : { ok: false, failure: ended?.failure ?? { code: 'disposed' } };
  }

  /** Take the calls of a model's answer one by one, as they come. */
  stream(options: BatchOptions = {}): CallStream {
    return new CallStream(
      {
        tools: this.#options.tools,
        now: this.#now,
        submit: (input, onTurn) =>
          this.#closing ? Promise.resolve(this.#closed()) : this.#submit(input, onTurn ? { onTurn } : {}),
        takePlanned: (turn) => this.#previews.take(turn),
        turnEnded: (turn) => this.#results.wait(turn),
        cancelTurn: (turn) =>
          this.#post(
            report({ type: 'cancel', target: { type: 'turn', turn }, by: 'caller', at: this.#now() }),
          ),
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
    return this.#submit({ type: 'say', message, at: this.#now() });
  }

  /** From now on the model is shown a summary of all messages before `keptFrom`. */
  compress(summary: string, keptFrom: number, usage: TokenUsage | null): Promise<Ack> {
    return this.#submit({ type: 'compress', summary, keptFrom, usage, at: this.#now() });
  }

  /** From now on the model is shown references in place of what calls up to this turn gave. */
  mask(throughTurn: number): Promise<Ack> {
    return this.#submit({ type: 'mask', throughTurn, at: this.#now() });
  }

  #closed(): Extract<Ack, { ok: false }> {
    return { ok: false, failure: this.#ended ?? { code: 'disposed' } };
  }

  /** What an open turn comes to, once it is over. */
  turnEnded(turn: number): Promise<TurnOutcome> {
    return this.#results.wait(turn);
  }

  /** The calls of the open turns as they are now, in request order; made on demand. */
  snapshot(): readonly ToolCall[] {
    return this.#state.turns.flatMap((turn) => turn.ids.flatMap((id) => this.#state.calls.get(id) ?? []));
  }

  get openTurns(): readonly number[] {
    return this.#state.turns.map(({ turn }) => turn);
  }

  /** The number the next turn will have. */
  get nextTurn(): number {
    return this.#state.lastTurn + 1;
  }

  get mode(): ApprovalMode {
    return this.#state.mode;
  }

  /** How many facts the session has. */
  get seq(): number {
    return this.#seq;
  }

  /** Why this session can no longer be used; null while it can. */
  get ended(): Failure | null {
    return this.#ended;
  }

  /** Resolves when nothing runs and nothing is about to: every open call waits for a person, or there is none. */
  async idle(): Promise<void> {
    while (!this.#ended && !this.#isIdle()) await this.#nextChange();
  }

  /** Compares the work under way with what the state wants: equal whenever the mailbox is empty. For tests. */
  inspect(): {
    readonly session: Session;
    readonly underWay: ReturnType<Workers['underWay']>;
    readonly idle: boolean;
  } {
    return {
      session: this.#state,
      underWay: this.#workers.underWay(),
      idle: this.#mail.length === 0 && !this.#draining,
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
    this.#closing = true;
    for (const call of this.snapshot()) {
      if (call.status !== 'executing') continue;
      const target = { type: 'call', callId: call.request.callId } as const;
      this.#post(report({ type: 'cancel', target, by: 'dispose', at: this.#now() }));
    }
    while (!this.#ended && (this.#state.running > 0 || this.#mail.length > 0 || this.#draining))
      await this.#nextChange();
    await this.#leave({ code: 'disposed' });
  }

  // ---- The mailbox

  /** What is said about one call is heard in the order it was said, though looking again takes time. */
  #accept(command: Command, inboxId: number | null): Promise<Ack> {
    if (command.type !== 'answer' && command.type !== 'modify') return this.#acceptNow(command, inboxId);
    const { callId } = command;
    const before = this.#speakingAbout.get(callId);
    const speak = () => this.#acceptNow(command, inboxId);
    const spoken = before ? before.then(speak) : speak();
    const forget = () => {
      if (this.#speakingAbout.get(callId) === done) this.#speakingAbout.delete(callId);
    };
    const done = spoken.then(forget, forget);
    this.#speakingAbout.set(callId, done);
    return spoken;
  }

  async #acceptNow(command: Command, inboxId: number | null): Promise<Ack> {
    if (this.#ended || this.#closing) return { ok: false, failure: this.#ended ?? { code: 'disposed' } };
    const isOpen = command.type !== 'answer' || this.#state.calls.has(command.callId);
    const before = isOpen ? null : await this.#saidBefore(command);
    if (before) return this.#settle(before, inboxId);
    const reading = await readCommand(command, this.#state, {
      ...this.#planning,
      now: this.#now,
      limit: this.#planningLimit,
      over: this.#over.signal,
    }).catch((thrown: unknown) => ({ ok: false as const, failure: failureThrown(thrown) }));
    if (!reading.ok) return this.#settle(reading, inboxId);
    const told = await this.#answerListeners.tell(this.#state, reading.input, this.#circumstances);
    const ack = await this.#submit(told, { inboxId });
    this.#answerListeners.askedAnew(this.#state, reading.input);
    if (command.type !== 'answer' || !isUnknownCall(ack)) return ack;
    // Its turn may have ended since we looked, and then the store knows what was said.
    return this.#settle((await this.#saidBefore(command)) ?? ack, inboxId);
  }

  /** What somebody said earlier about a call whose turn is over: forgotten here, but the store still knows. */
  async #saidBefore(command: Extract<Command, { type: 'answer' }>): Promise<Ack | null> {
    if (this.#state.calls.has(command.callId)) return null;
    const given = await this.#answerInStore(command.callId);
    if (!given) return null;
    if ('code' in given) return { ok: false, failure: given };
    const { key = null } = command;
    const same =
      key !== null || given.key !== null
        ? key === given.key
        : given.by === command.by && given.digest === command.digest && given.outcome === command.outcome;
    if (same) return { ok: true, seq: this.#seq, repeated: true };
    return { ok: false, failure: { code: 'already_answered', callId: command.callId, ...given } };
  }

  async #answerInStore(callId: string): Promise<AnsweredRow | Failure | null> {
    try {
      return await this.#options.journal.answerOf(this.sessionId, callId);
    } catch (thrown) {
      if (thrown instanceof JournalError) return thrown.failure;
      throw thrown;
    }
  }

  /** Settled without the kernel; a command from the inbox is still consumed, so that its sender hears of it. */
  #settle(settled: Ack, inboxId: number | null): Ack {
    if (inboxId !== null) this.#post({ input: null, settled, reply: null, inboxId, onTurn: null });
    return settled;
  }

  #submit(
    input: Input,
    options: { readonly inboxId?: number | null; readonly onTurn?: Mail['onTurn'] } = {},
  ): Promise<Ack> {
    if (this.#ended) return Promise.resolve({ ok: false, failure: this.#ended });
    return new Promise((reply) => {
      const { inboxId = null, onTurn = null } = options;
      this.#post({ input, settled: null, reply, inboxId, onTurn });
    });
  }

  #post(mail: Mail): void {
    if (this.#ended) return;
    this.#mail.push(mail);
    // After this tick, so that everything said in it is one drain. A microtask of its own each would cost a µs each.
    if (this.#draining || this.#drainNext) return;
    this.#drainNext = true;
    queueMicrotask(() => void this.#drain());
  }

  #report(input: Input): void {
    if (this.#ended) return;
    this.#mail.push(report(input));
    // Reports come in swarms; waiting for the end of this round of the loop makes one append of a swarm.
    if (!this.#draining) this.#drainSoon ??= setImmediate(() => void this.#drain());
  }

  async #drain(): Promise<void> {
    this.#drainNext = false;
    if (this.#draining) return;
    this.#draining = true;
    if (this.#drainSoon) clearImmediate(this.#drainSoon);
    this.#drainSoon = null;
    try {
      while ((this.#mail.length > 0 || this.#grantsAreStale) && !this.#ended) {
        const batch = this.#mail;
        this.#mail = [];
        this.#inHand = batch;
        await this.#take(batch);
        this.#inHand = [];
      }
    } catch (thrown) {
      // Only a fault of our own comes here. Going on from an unknown state is not an option.
      await this.#leave({
        code: 'internal',
        message: thrown instanceof Error ? thrown.message : String(thrown),
      });
    } finally {
      this.#draining = false;
      this.#changed();
    }
  }

  async #take(batch: readonly Mail[]): Promise<void> {
    try {
      const gone = this.#grantsAreStale ? await this.#refreshGrants() : null;
      await this.#commit(gone ? [gone, ...batch] : batch);
    } catch (thrown) {
      if (!(thrown instanceof JournalError)) throw thrown;
      await this.#putOff(batch, thrown.failure);
    }
  }

  // ---- Writing down, then acting

  async #commit(batch: readonly Mail[], round = 1): Promise<void> {
    const work = decideAll(batch, {
      session: this.#state,
      circumstances: this.#circumstances,
      seq: this.#seq,
      watched: this.#options.watcher?.onFacts ? 'by somebody' : 'by nobody',
      observe: (event, session) => {
        this.#results.observe(event, session);
        this.#nested.observe(event, session);
        this.#answerListeners.hear(event);
        this.#planning.edits.hear(event);
        this.#seen.observe(event, session);
      },
    });
    if (work.events.length === 0 && work.consumed.length === 0) return this.#confirm(batch, work);
    const appended = await this.#options.journal.append({
      sessionId: this.sessionId,
      expectedSeq: this.#seq,
      token: this.#token,
      events: work.events,
      views: work.views,
      claims: this.#state.claims,
      consumed: work.consumed,
      sync: work.sync,
    });
    if (this.#ended) return;
    if (appended.ok) return this.#confirm(batch, work);
    await this.#recover(batch, appended.failure, round);
  }

  /** It is written: now the world may change, and everybody may know. */
  #confirm(batch: readonly Mail[], { events, acks, consumed, watched }: Work): void {
    this.#seq += events.length;
    this.#grants.settle(this.#state, events);
    for (const { inboxId } of consumed) this.#inboxTaken.delete(inboxId);
    batch.forEach(({ reply, onTurn }, index) => {
      const ack = acks[index];
      if (!ack) return;
      if (ack.ok && ack.turn !== undefined) onTurn?.(ack.turn);
      reply?.(ack);
    });
    this.#workers.reconcile(this.#state);
    if (events.length > 0) this.#feed.publish(events);
    if (watched && watched.length > 0) this.#tellWatcher((watcher) => watcher.onFacts?.(watched));
    this.#results.release();
    this.#nested.release();
    this.#changed();
  }

  /** Nothing was written, so nothing may act on it: go back to what the journal says, and decide again. */
  async #recover(batch: readonly Mail[], failure: AppendFailure, round: number): Promise<void> {
    if (failure.code === 'another_writer' || failure.code === 'owner_lost') {
      for (const { reply } of batch) reply?.({ ok: false, failure });
      return this.#leave(failure);
    }
    if (failure.code === 'claim_lost' && round <= CLAIM_ROUNDS_MAX) {
      await this.#reload();
      const gone = await this.#refreshGrants();
      if (this.#ended) return;
      return this.#commit(gone ? [gone, ...batch] : batch, round + 1);
    }
    if (failure.code === 'command_withdrawn') {
      // Whoever left it has given up on it meanwhile; the rest of the batch is decided without it.
      await this.#reload();
      const isGone = ({ inboxId }: Mail) => inboxId !== null && failure.inboxIds.includes(inboxId);
      for (const { reply } of batch.filter(isGone)) reply?.({ ok: false, failure });
      if (this.#ended) return;
      return this.#commit(
        batch.filter((mail) => !isGone(mail)),
        round,
      );
    }
    await this.#putOff(batch, failure);
  }

  /** The journal does not work. Who commands hears of it; what happened in the world is kept until it can be written. */
  async #putOff(batch: readonly Mail[], failure: Failure): Promise<void> {
    this.#options.onTrouble?.(failure);
    const reports = batch.filter(({ reply, inboxId }) => reply === null && inboxId === null);
    const left = batch.flatMap(({ inboxId }) => inboxId ?? []);
    for (const { reply } of batch) reply?.({ ok: false, failure });
    await this.#reloadWhenPossible();
    this.#mail.unshift(...reports);
    if (reports.length > 0 || left.length > 0 || this.#grantsAreStale) await this.#pause();
    if (left.length === 0) return;
    // Commands that were left for us are still in the inbox.
    for (const inboxId of left) this.#inboxTaken.delete(inboxId);
    void this.#look();
  }

  async #reloadWhenPossible(): Promise<void> {
    while (!this.#ended) {
      try {
        return await this.#reload();
      } catch (thrown) {
        if (!(thrown instanceof JournalError)) throw thrown;
        this.#options.onTrouble?.(thrown.failure);
        await this.#pause();
      }
    }
  }

  /** Between two tries; ends early when the session does. */
  async #pause(): Promise<void> {
    await this.#delay(JOURNAL_RETRY_MS, this.#over.signal).catch(() => undefined);
    if (this.#closing && ++this.#triesWhileClosing >= CLOSING_TRIES_MAX)
      await this.#leave({ code: 'disposed' });
  }

  async #reload(): Promise<void> {
    const { journal, workspace } = this.#options;
    const recorded = await journal.read(this.sessionId, 0);
    const session = emptySession(this.sessionId);
    this.#seen.forget();
    for (const { event } of recorded) {
      evolve(session, event);
      this.#seen.observe(event, session);
    }
    // Somebody took this process for dead: what the facts call running is theirs.
    if (this.#epoch > 0 && session.epoch !== this.#epoch) {
      return this.#leave({ code: 'owner_lost', sessionId: this.sessionId });
    }
    session.added.length = 0;
    session.claims.length = 0;
    this.#state = session;
    this.#seq = (recorded.at(-1)?.seq ?? -1) + 1;
    this.#results.restore(session);
    this.#planning.edits.restore(session);
    this.#grants.replace(await journal.grants({ sessionId: this.sessionId, workspace }));
    // Until then, what the facts call running ran in the process before, and is not to be run again here.
    if (this.#epoch > 0 && !this.#ended) this.#workers.reconcileAll(session);
  }

  // ---- Other processes

  /** Somebody else wrote to the store: take what was left for us, and see whether grants were revoked. */
  async #look(): Promise<void> {
    this.#lookAgain = true;
    if (this.#looking) return;
    this.#looking = true;
    try {
      while (this.#lookAgain && !this.#ended && !this.#closing) {
        this.#lookAgain = false;
        this.#grantsAreStale = true;
        if (!(await this.#takeInbox())) await this.#pause();
      }
      if (!this.#draining) void this.#drain();
    } finally {
      this.#looking = false;
    }
  }

  /** False if the journal could not be read: then it is worth looking again. */
  async #takeInbox(): Promise<boolean> {
    try {
      for (const { inboxId, command } of await this.#options.journal.inbox(this.sessionId)) {
        if (this.#inboxTaken.has(inboxId)) continue;
        this.#inboxTaken.add(inboxId);
        void this.#accept(command, inboxId);
      }
      return true;
    } catch (thrown) {
      if (!(thrown instanceof JournalError)) throw thrown;
      this.#options.onTrouble?.(thrown.failure);
      this.#lookAgain = true;
      return false;
    }
  }

  /** Part of the drain, so that it never undoes what a commit beside it did. */
  async #refreshGrants(): Promise<Mail | null> {
    const { journal, workspace } = this.#options;
    // Before looking, so that what changes meanwhile is looked at again; but a look that failed was none.
    this.#grantsAreStale = false;
    let grantIds: readonly string[] = [];
    try {
      grantIds = await this.#revokedMeanwhile();
      this.#grants.replace(await journal.grants({ sessionId: this.sessionId, workspace }));
    } catch (thrown) {
      this.#grantsAreStale = true;
      throw thrown;
    }
    return grantIds.length > 0 ? report({ type: 'grants-gone', grantIds, at: this.#now() }) : null;
  }

  /** Grants that calls about to start rely on, and that somebody has revoked. */
  async #revokedMeanwhile(): Promise<readonly string[]> {
    const relied = this.snapshot().flatMap((call) =>
      call.status === 'scheduled' && call.permit.by.type === 'grant' ? [call.permit.by.grantId] : [],
    );
    return relied.length > 0 ? this.#options.journal.revoked(relied) : [];
  }

  // ---- The end

  #leave(failure: Failure): Promise<void> {
    this.#left ??= this.#leaveFor(failure);
    return this.#left;
  }

  async #leaveFor(failure: Failure): Promise<void> {
    this.#ended = failure;
    this.#over.abort();
    this.#unwatch?.();
    if (this.#drainSoon) clearImmediate(this.#drainSoon);
    const isTaken = failure.code === 'owner_lost' || failure.code === 'another_writer';
    this.#workers.stopAll(isTaken ? 'another process' : 'nobody');
    this.#results.giveUp(failure);
    this.#nested.giveUp();
    for (const { reply } of [...this.#inHand, ...this.#mail]) reply?.({ ok: false, failure });
    this.#mail = [];
    this.#feed.close();
    this.#changed();
    if (!isTaken) await this.#leaveTools();
    await this.#options.journal.release(this.sessionId, this.#token).catch((thrown: unknown) => {
      if (!(thrown instanceof JournalError)) throw thrown;
    });
  }

  /** Tools may keep something running for the session. What they can not end is trouble, and holds nobody up. */
  async #leaveTools(): Promise<void> {
    const leaving = { sessionId: this.sessionId, sessionDirectory: this.#kept.path };
    for (const tool of this.#options.tools.all()) {
      if (!tool.leave) continue;
      try {
        await tool.leave(leaving);
      } catch (thrown) {
        this.#options.onTrouble?.({ code: 'unhandled_exception', message: wordsOf(thrown) });
      }
    }
    await this.#options.hooks?.leave();
    await this.#kept.leave().catch(() => undefined);
  }

  /** A running call asks a person something: a call of its own within the same turn. */
  async #ask(
    { callId: within, turn, promptId }: CallRequest,
    questions: readonly AskedQuestion[],
    signal: AbortSignal,
  ): Promise<Json> {
    const at = this.#now();
    const args = plainObject({ questions });
    const wanted = { name: ASKING_TOOL, args: args.ok ? args.value : {}, promptId };
    const [call] = readBatch([wanted], this.#options.tools, at);
    if (!call) return null;
    const asked = this.#nested.wait(within, call.wireId);
    const ack = await this.#submit({ type: 'nested.call', within, turn, call, at });
    if (!ack.ok) return null;
    const stop = () => {
      const { callId } = asked;
      if (callId === null) return;
      this.#post(report({ type: 'cancel', target: { type: 'call', callId }, by: 'caller', at: this.#now() }));
    };
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    const settled = await asked.settled;
    signal.removeEventListener('abort', stop);
    return settled?.status === 'success' ? (settled.answer?.answers ?? null) : null;
  }

  /** Whether nothing but another rule could let it run: where only somebody to ask is missing, a hook may speak for them. */
  #isDenied(request: CallRequest, plan: Plan): boolean {
    const judgement = judge(this.#state, request, plan, this.#now(), this.#circumstances);
    return judgement.type === 'denied' && judgement.verdict.because !== 'unattended';
  }

  #isIdle(): boolean {
    return this.#mail.length === 0 && !this.#draining && this.#workers.size === 0;
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

  #tellWatcher(tell: (watcher: Watcher) => void): void {
    const { watcher, onTrouble } = this.#options;
    try {
      if (watcher) tell(watcher);
    } catch (thrown) {
      onTrouble?.({ code: 'unhandled_exception', message: wordsOf(thrown) });
    }
  }

  #newFeed(): Feed {
    return new Feed(this.#seq, (fromSeq) => this.#options.journal.read(this.sessionId, fromSeq));
  }
}
