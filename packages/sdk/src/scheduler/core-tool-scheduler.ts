import { type SessionClient, SessionEvents } from '@countersign/client';
import { type Journal, memoryJournal, openSession, type SessionShell } from '@countersign/engine';
import { classify } from '@countersign/host';
import {
  type AwaitingCall,
  type Command,
  explain,
  type Failure,
  type WantedCall,
} from '@countersign/protocol';
import { Config } from '../config/config.js';
import { hooksAround } from '../config/hook-settings.js';
import { MessageBus } from '../config/message-bus.js';
import { logToolCall, ToolCallEvent } from '../config/records.js';
import type { ToolRegistry } from '../tools/tool-registry.js';
import type {
  CompletedToolCall,
  ToolCall,
  ToolCallRequestInfo,
  WaitingToolCall,
} from '../types/call-types.js';
import type { ToolConfirmationOutcome } from '../types/enums.js';
import type { AnswerResult, ToolConfirmationPayload } from '../types/tool-types.js';
import { announceFacts } from './announce-facts.js';
import { Board } from './board.js';
import { type Viewing, viewOf } from './call-view.js';
import { Modifier } from './modifier.js';
import type { CoreToolSchedulerOptions } from './options.js';

type Defaults = Required<Pick<CoreToolSchedulerOptions, 'whenBusy' | 'start' | 'resolveWhen'>>;
type Completed = (completed: CompletedToolCall[]) => void;

/**
 * Schedules tool calls in the way that programs written for Gemini CLI expect: handlers receive every status,
 * questions carry `onConfirm`, results arrive by batch. A thin adapter over a session of the engine, which makes every decision.
 *
 * @example
 * ```ts
 * const scheduler = new CoreToolScheduler({
 *   toolRegistry: registry,
 *   onAllToolCallsComplete: (calls) => show(calls.length),
 * });
 * await scheduler.schedule({ callId: 'a', name: 'list_directory', args: { dir_path: '.' } }, signal);
 * ```
 */
export class CoreToolScheduler {
  readonly #options: CoreToolSchedulerOptions & Defaults;
  readonly #config: Config;
  readonly #viewing: Viewing;
  readonly #board: Board;
  readonly #modifier: Modifier;
  readonly #events = new SessionEvents();
  readonly #onAccepted = new Map<number, Completed>();
  readonly #onCompleted = new Map<number, Completed>();
  #registry: ToolRegistry | null = null;
  #opening: Promise<SessionShell> | null = null;
  #stopListening: (() => void)[] = [];
  #disposed = false;

  constructor(options: CoreToolSchedulerOptions) {
    this.#options = { ...this.defaults(), ...options };
    this.#config = options.config ?? new Config();
    this.#modifier = new Modifier({
      getPreferredEditor: options.getPreferredEditor ?? (() => undefined),
      toolOf: (name) => this.#registry?.getTool(name),
      send: (command) => this.#send(command),
      changed: (callId) => this.#board.refresh(callId),
    });
    this.#viewing = {
      toolOf: ({ callId, name }) => this.#board.toolOf(callId) ?? this.#registry?.getTool(name),
      onConfirm: (call) => (outcome, payload) => this.#answer(call, outcome, payload),
      isModifying: (callId) => this.#modifier.isModifying(callId),
      noticeOf: (callId) => this.#modifier.noticeOf(callId),
      askedAt: (callId) => this.#board.askedAt(callId),
    };
    this.#board = new Board(this.#viewing, {
      shows: (calls) => this.#show(calls),
      accepted: (turn) => this.#accepted(turn),
      over: (turn, completed) => void this.#over(turn, [...completed]),
    });
  }

  /** The defaults of options; `Scheduler` has others. */
  protected defaults(): Defaults {
    return { whenBusy: 'reject', start: 'together', resolveWhen: 'accepted' };
  }

  /**
   * Take one call or a batch. With `resolveWhen: 'completed'` it resolves with
   * the completed calls; with 'accepted' as soon as every call was validated and
   * asked about or scheduled, with an empty list.
   */
  async schedule(
    request: ToolCallRequestInfo | readonly ToolCallRequestInfo[],
    signal?: AbortSignal,
  ): Promise<CompletedToolCall[]> {
    const session = await this.#open();
    const wanted = [request].flat().map(wantedCall);
    const { whenBusy, start, resolveWhen } = this.#options;
    return new Promise((resolve, reject) => {
      const attended = this.#config.isInteractive() ? 'somebody' : 'nobody';
      const onTurn = (turn: number) => {
        if (resolveWhen === 'completed') this.#onCompleted.set(turn, resolve);
        else this.#onAccepted.set(turn, () => resolve([]));
      };
      session
        .schedule(wanted, { start, whenBusy, attended, onTurn, ...(signal && { signal }) })
        .then((outcome) => {
          if (!outcome.ok) reject(errorOf(outcome.failure));
        }, reject);
    });
  }

  /**
   * Answer a question by its call's id. The longer form, with the question's own
   * `onConfirm` in second place, is accepted too.
   */
  handleConfirmationResponse(
    callId: string,
    outcome: ToolConfirmationOutcome,
    payload?: ToolConfirmationPayload,
  ): Promise<AnswerResult>;
  handleConfirmationResponse(
    callId: string,
    originalOnConfirm: (...given: never[]) => unknown,
    outcome: ToolConfirmationOutcome,
    signal?: AbortSignal,
    payload?: ToolConfirmationPayload,
  ): Promise<AnswerResult>;
  async handleConfirmationResponse(
    callId: string,
    second: ToolConfirmationOutcome | ((...given: never[]) => unknown),
    third?: ToolConfirmationOutcome | ToolConfirmationPayload,
    signal?: AbortSignal,
    fifth?: ToolConfirmationPayload,
  ): Promise<AnswerResult> {
    const outcome = typeof second === 'function' ? third : second;
    const payload = typeof second === 'function' ? fifth : third;
    if (typeof outcome !== 'string' || typeof payload === 'string') {
      return refused({ code: 'invalid_answer', problem: 'it has no outcome' });
    }
    const call = this.#board.find(callId);
    if (!call) return refused({ code: 'unknown_call', callId });
    if (call.status !== 'awaiting_approval')
      return refused({ code: 'not_waiting', callId, status: call.status });
    return this.#answer(call, signal?.aborted ? 'cancel' : outcome, payload);
  }

  /** Cancel one call, whatever its status. Does nothing for one that is unknown or over. */
  async cancel(callId: string): Promise<void> {
    const id = this.#board.find(callId)?.request.callId ?? callId;
    await this.#send({ type: 'cancel', target: { type: 'call', callId: id }, by: 'caller' });
  }

  async cancelAll(): Promise<void> {
    await this.#send({ type: 'cancel', target: { type: 'all' }, by: 'caller' });
  }

  /** Calls that wait for an answer, also those that an earlier process of a stored session asked about. */
  async pending(): Promise<readonly WaitingToolCall[]> {
    await this.#open();
    const views = this.#board.waiting.map((call) => viewOf(call, undefined, this.#viewing));
    return views.filter((view) => view.status === 'awaiting_approval');
  }

  /** Continues the calls that an earlier process left open; resolves with the completed calls of those batches. */
  async resume(): Promise<CompletedToolCall[]> {
    const session = await this.#open();
    const batches = session.openTurns.map(
      (turn) =>
        new Promise<CompletedToolCall[]>((resolve) => {
          const alsoWaiting = this.#onCompleted.get(turn);
          this.#onCompleted.set(turn, (completed) => {
            alsoWaiting?.(completed);
            resolve(completed);
          });
          void session.turnEnded(turn).then((ended) => {
            if (!ended.ok) resolve([]);
          });
        }),
    );
    return (await Promise.all(batches)).flat();
  }

  /** The session behind it, for front ends that follow it and send commands: see `countersign/react`. */
  session(): Promise<SessionClient> {
    return this.#open();
  }

  /** Ends all it started, and every timer, listener and process. Questions of a stored session stay open. */
  async dispose(): Promise<void> {
    if (this.#disposed) return;
    this.#disposed = true;
    for (const stop of this.#stopListening) stop();
    this.#board.close();
    this.#modifier.close();
    const session = await this.#opening?.catch(() => null);
    await session?.dispose();
  }

  // ---- The session behind it

  #open(): Promise<SessionShell> {
    if (this.#disposed) return Promise.reject(errorOf({ code: 'disposed' }));
    this.#opening ??= this.#openSession();
    return this.#opening;
  }

  async #openSession(): Promise<SessionShell> {
    const config = this.#config;
    const registry = await this.#options.toolRegistry;
    // Until a rule's patterns are compiled it is stricter than written, and would ask about or deny what it does not mean.
    await config.getPolicyEngine().ready();
    const journal: Journal = await (this.#options.journal ?? memoryJournal());
    const tools = registry.toolbox({
      config,
      wantsOutput: () => this.#options.outputUpdateHandler !== undefined,
    });
    const around = await hooksAround(config.getHooks(), config.getTargetDir(), tools);
    if (!around.ok) throw errorOf(around.failure);
    const { hooks } = around;
    this.#registry = registry;
    this.#listen();
    const opened = await openSession({
      frontEnd: 'library',
      journal,
      sessionId: this.#options.sessionId ?? config.getSessionId(),
      workspace: config.getTargetDir(),
      mode: config.getApprovalMode(),
      tools,
      policy: config.getPolicyEngine().asPolicy(),
      classify,
      ...(hooks && { hooks }),
      onTrouble: (failure) => this.#trouble(errorOf(failure)),
      watcher: this.#events,
    });
    if (!opened.ok) throw errorOf(opened.failure);
    const { session } = opened;
    this.#stopListening.push(
      config.onApprovalModeChange((mode) => void session.send({ type: 'set-mode', mode, by: 'config' })),
      ...this.#connectBus(),
    );
    const left = session.snapshot();
    this.#board.adopt(left);
    this.#events.adopt(left);
    return session;
  }

  /** Until the session is disposed of: calls still end while it is. */
  #listen(): void {
    this.#events.subscribe({
      onFacts: (facts) => {
        announceFacts(this.#config.getMessageBus(), facts);
        this.#board.onFacts(facts);
      },
      onLive: (live) => {
        this.#board.onLive(live);
        const { output } = live;
        const shown = this.#board.find(live.callId)?.request.wireId ?? live.callId;
        if (output !== undefined)
          void this.#guard('outputUpdateHandler', () => this.#options.outputUpdateHandler?.(shown, output));
      },
      onQuestion: (change) => {
        if (change.type !== 'gone') this.#ask(change.call);
      },
    });
  }

  async #send(command: Command): Promise<AnswerResult> {
    const session = await this.#opening;
    if (!session) return refused({ code: 'disposed' });
    const ack = await session.send(command);
    return ack.ok ? { ok: true } : refused(ack.failure);
  }

  // ---- Answers

  async #answer(
    call: AwaitingCall,
    outcome: ToolConfirmationOutcome,
    payload: ToolConfirmationPayload = {},
  ): Promise<AnswerResult> {
    if (outcome === 'modify_with_editor') return this.#modifier.modify(call);
    const { callId } = call.request;
    const { digest } = call.question;
    const offered = asOffered(call, outcome);
    return this.#send({ type: 'answer', callId, digest, outcome: offered, payload, by: 'user' });
  }

  #ask(call: AwaitingCall): void {
    const view = viewOf(call, undefined, this.#viewing);
    if (view.status !== 'awaiting_approval') return;
    const { callId, name, args } = call.request;
    const { digest, confirmation } = call.question;
    const bus = this.#config.getMessageBus();
    MessageBus.announce(bus, {
      type: 'tool-confirmation-request',
      correlationId: callId,
      toolCall: { id: call.request.wireId, name, args },
      details: view.confirmationDetails,
      digest,
    });
    if (confirmation.type === 'ask_user') {
      const { questions } = confirmation;
      MessageBus.announce(bus, { type: 'ask-user-request', correlationId: callId, questions });
    }
    const { confirmHandler } = this.#options;
    if (!confirmHandler) return;
    void this.#guard('confirmHandler', async () => this.#answer(call, await confirmHandler(view)));
  }

  /** A message answers exactly as `onConfirm` does; its publisher has no further rights. */
  #connectBus(): (() => void)[] {
    const bus = this.#config.getMessageBus();
    const waiting = (id: string) => this.#board.waiting.find(({ request }) => request.callId === id);
    return [
      bus.subscribe('tool-confirmation-response', ({ correlationId, digest, outcome, payload }) => {
        const call = waiting(correlationId);
        if (call?.question.digest === digest) void this.#answer(call, outcome, payload);
      }),
      bus.subscribe('ask-user-response', ({ correlationId, answers }) => {
        const call = waiting(correlationId);
        if (call?.question.confirmation.type === 'ask_user')
          void this.#answer(call, 'proceed_once', { answers });
      }),
    ];
  }

  // ---- Handlers

  #show(calls: readonly ToolCall[]): void {
    MessageBus.announce(this.#config.getMessageBus(), { type: 'tool-calls-update', toolCalls: calls });
    // Frozen, as documented; the handler's type is ToolCall[] so that programs written for Gemini CLI compile.
    void this.#guard('onToolCallsUpdate', () => this.#options.onToolCallsUpdate?.(calls as ToolCall[]));
  }

  #accepted(turn: number): void {
    this.#onAccepted.get(turn)?.([]);
    this.#onAccepted.delete(turn);
  }

  /** The end of a batch, in the documented order: records, `onAllToolCallsComplete`, an empty update, the promise. */
  async #over(turn: number, completed: CompletedToolCall[]): Promise<void> {
    // A record copies and redacts the arguments: not made without a listener.
    if (this.#config.onToolCallRecord) {
      for (const call of completed)
        logToolCall(this.#config, ToolCallEvent(call), (trouble) => this.#trouble(trouble));
    }
    const handled = this.#guard('onAllToolCallsComplete', () =>
      this.#options.onAllToolCallsComplete?.(completed),
    );
    this.#show(Object.freeze([]));
    await handled;
    this.#accepted(turn);
    this.#onCompleted.get(turn)?.(completed);
    this.#onCompleted.delete(turn);
  }

  /** Calls a handler of the program at once. An error of its own is reported, and changes nothing else. */
  async #guard(handler: string, call: () => unknown): Promise<void> {
    try {
      await call();
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      this.#trouble(new Error(`${handler} threw: ${message}`, { cause }));
    }
  }

  #trouble(trouble: Error): void {
    const { onTrouble } = this.#options;
    try {
      if (onTrouble) onTrouble(trouble);
      else process.emitWarning(trouble);
    } catch {
      // An error of the error handler itself cannot be reported anywhere.
    }
  }
}

/**
 * A scheduler with the defaults for a program that waits for results: batches queue, and `schedule` resolves with
 * the completed calls. Otherwise the same class as `CoreToolScheduler`.
 *
 * @example
 * ```ts
 * const scheduler = new Scheduler({ toolRegistry: registry, config });
 * const completed = await scheduler.schedule({ callId: 'a', name: 'read_file', args: { file_path: 'package.json' } });
 * show(completed[0]?.status); // 'success'
 * await scheduler.dispose();
 * ```
 */
export class Scheduler extends CoreToolScheduler {
  protected override defaults(): Defaults {
    return { whenBusy: 'queue', start: 'as_granted', resolveWhen: 'completed' };
  }
}

/**
 * An "always" that is not on offer counts for this once: programs written for
 * Gemini CLI send it to any question, and granting less is always safe.
 */
function asOffered({ question }: AwaitingCall, outcome: ToolConfirmationOutcome): ToolConfirmationOutcome {
  const isOffered = question.offers.some((offer) => offer.outcome === outcome);
  return !isOffered && outcome.startsWith('proceed_always') ? 'proceed_once' : outcome;
}

function wantedCall({ callId, name, args, isClientInitiated, prompt_id }: ToolCallRequestInfo): WantedCall {
  return {
    callId,
    name,
    args,
    origin: isClientInitiated ? 'client' : 'model',
    ...(prompt_id !== undefined && { promptId: prompt_id }),
  };
}

function refused(failure: Failure): AnswerResult {
  const { message, hint } = explain(failure);
  return { ok: false, type: failure.code, reason: `${message} ${hint}` };
}

/** A failure as an exception, for the few places where the library throws. */
function errorOf(failure: Failure): Error {
  return Object.assign(new Error(explain(failure).message), { code: failure.code });
}
