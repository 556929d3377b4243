import type { ModelRequest } from '@countersign/models';
import {
  explain,
  type Failure,
  type MessagePart,
  type SettledCall,
  type TokenUsage,
} from '@countersign/protocol';
import { type Answered, askModel, type CallsOver } from './ask-model.js';
import type { AgentEvent, Ending } from './events.js';
import { type AgentHooks, contextPart, refusalIn, wantsClearContext } from './hooks/agent-hooks.js';
import { type AgentLimits, limitExceeded, limitReached } from './limits.js';
import type { LiveSession } from './live-session.js';
import { LoopDetection } from './loop-detection.js';
import { makeRoom } from './make-room.js';
import { readMentions } from './mentions/read-mentions.js';
import { misfireIn } from './misfire.js';
import type { AgentOptions, PromptOptions } from './options.js';
import type { SessionListener } from './session-listener.js';
import type { Spending } from './spending.js';

/** How often a model that gave no answer, or a call that cannot be parsed, is asked again. */
const MISFIRES_MAX = 2;
/** How often hooks may send the agent back to work after it thinks it is done. */
const SENT_BACK_MAX = 5;

type Parts = Omit<AgentOptions, 'limits' | 'hooks'> & {
  readonly live: LiveSession;
  readonly limits: AgentLimits;
  readonly hooks: AgentHooks;
  readonly prompt: PromptOptions;
  /** Aborted when the prompt is cancelled, and when the session is about to be left: then calls are not cancelled. */
  readonly asking: AbortSignal;
  readonly listener: SessionListener;
  readonly emit: (event: AgentEvent) => void;
  readonly spent: () => Spending;
  readonly spend: (usage: TokenUsage | null, model: string) => void;
};

/** The work on one prompt, from what was said to how it ends. */
export class PromptWork {
  readonly #parts: Parts;
  readonly #signal: AbortSignal;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#signal = parts.asking;
  }

  async prompt(given: readonly MessagePart[]): Promise<Ending> {
    const { live, prompt, workspace, attended, emit, resourceFor, sessionHooks } = this.#parts;
    const { by, promptId, typed = '', identity } = prompt;
    await this.#orCancelled(sessionHooks?.started());
    const ended = await this.#settleOpenTurns();
    if (ended) return ended;
    const before = await this.#beforeAgent(textIn(given));
    if (this.#signal.aborted) return this.#cancelled();
    if ('code' in before) return this.#failed(before);
    if (typed.includes('@')) await this.#toolsReady();
    const place = {
      session: live.session,
      workspace,
      attended,
      promptId,
      signal: prompt.signal,
      resourceFor: resourceFor ?? (() => null),
    };
    const mentioned = await readMentions(typed, place);
    for (const value of mentioned.notices) emit({ type: 'notice', value });
    if (this.#signal.aborted) return this.#cancelled();
    const parts = [
      ...contextParts(sessionHooks?.takeContext() ?? null),
      ...given,
      ...mentioned.parts,
      ...contextParts(before.context),
    ];
    const said = await live.session.say({ role: 'user', parts, by, promptId }, identity);
    return said.ok ? this.#untilAnswered(textIn(given)) : this.#failed(said.failure);
  }

  async goOn(): Promise<Ending> {
    await this.#orCancelled(this.#parts.sessionHooks?.started());
    return (await this.#settleOpenTurns()) ?? this.#untilAnswered('');
  }

  /** Calls of an earlier process come first: a request to the model needs the results of all its calls. */
  async #settleOpenTurns(): Promise<Ending | null> {
    const { session } = this.#parts.live;
    const { signal } = this.#parts.prompt;
    for (const turn of session.openTurns) {
      const cancel = () =>
        void session.send({ type: 'cancel', target: { type: 'turn', turn }, by: 'caller' });
      if (signal.aborted) cancel();
      signal.addEventListener('abort', cancel);
      const over = await session.turnEnded(turn);
      signal.removeEventListener('abort', cancel);
      const ending = this.#endingWith(over);
      if (ending) return ending;
    }
    return null;
  }

  async #untilAnswered(prompt: string): Promise<Ending> {
    const { limits, spent, onLoop, model } = this.#parts;
    const loops = new LoopDetection();
    let misfires = 0;
    let sentBack = 0;
    for (let turn = 1; ; turn++) {
      if (this.#signal.aborted) return this.#cancelled();
      const limit = limitReached(limits, turn, model, spent());
      if (limit) return this.#failed(limit);
      await this.#makeRoom();
      await this.#toolsReady();
      if (this.#signal.aborted) return this.#cancelled();
      const seen = this.#lastMessage();
      const answered = await this.#ask();
      if (answered.type === 'cancelled') return this.#cancelled();
      if (answered.type === 'failed') return this.#failed(answered.failure);
      const over = await answered.calls;
      const ending = this.#endingWith(over);
      if (ending) return ending;
      if (over.ok && over.calls.length > 0) {
        const loop = loops.observe(over.calls);
        if (loop && (await onLoop?.(loop)) !== 'continue')
          return this.#failed({ code: 'loop_detected', what: loop });
        misfires = 0;
        continue;
      }
      const repaired = await this.#repair(answered, misfires);
      if (repaired === 'asked again') misfires++;
      else if (repaired !== 'fine') return this.#failed(repaired);
      else if (!this.#typedSince(seen)) {
        misfires = 0;
        const after = await this.#afterAgent(prompt, textIn(answered.message.parts), sentBack);
        if (after === 'done') return this.#signal.aborted ? this.#cancelled() : this.#answered();
        if (after !== 'sent back') return this.#failed(after);
        sentBack++;
      }
    }
  }

  async #ask(): Promise<Answered> {
    const { attended, model, system, live, provider, prompt, emit, spend } = this.#parts;
    const { promptId, signal } = prompt;
    const { leaving } = live;
    const request: ModelRequest = {
      model,
      system: system(),
      contents: live.conversation.contents(),
      declarations: this.#declarations(),
    };
    const stream = live.session.stream({ attended, signal });
    const onEvent = (event: AgentEvent) => {
      if (event.type === 'finished') spend(event.value.usage, event.value.model);
      emit(event);
    };
    return askModel(provider, request, { stream, promptId, signal: this.#signal, leaving, emit: onEvent });
  }

  /** A second call costs nothing. */
  #toolsReady(): Promise<void> {
    return this.#orCancelled(this.#signal.aborted ? undefined : this.#parts.toolsReady?.());
  }

  /** A cancelled prompt does not wait. */
  async #orCancelled(work: Promise<void> | undefined): Promise<void> {
    if (work === undefined || this.#signal.aborted) return;
    let stop = () => {};
    const cancelled = new Promise<void>((resolve) => {
      stop = resolve;
    });
    this.#signal.addEventListener('abort', stop);
    await Promise.race([work, cancelled]);
    this.#signal.removeEventListener('abort', stop);
  }

  /** What policy denies whatever the arguments is not worth the model's attention. */
  #declarations() {
    const { tools, policy, live, model } = this.#parts;
    const { mode } = live.session;
    const isOffered = (name: string) => !policy.deniesOutright(name, mode, tools.get(name)?.mcpServer);
    return tools.declarations(model).filter(({ name }) => isOffered(name));
  }

  async #makeRoom(): Promise<void> {
    const { live, provider, model, hooks, emit, spend } = this.#parts;
    const signal = this.#signal;
    await makeRoom(live, { provider, model, hooks, signal, emit, spend });
  }

  /** An answer that is none, or half of one. */
  async #repair(
    answered: Extract<Answered, { type: 'said' }>,
    misfires: number,
  ): Promise<'fine' | 'asked again' | Failure> {
    const misfire = misfireIn(answered);
    switch (misfire?.type) {
      case undefined:
        return 'fine';
      case 'cut short':
        this.#parts.emit({ type: 'notice', value: misfire.notice });
        return 'fine';
      case 'hopeless':
        return misfire.failure;
      case 'ask again':
        if (misfires >= MISFIRES_MAX) return { code: 'empty_answer', said: answered.finish.said };
        return misfire.message === null ? 'asked again' : this.#say(misfire.message, 'agent', 'asked again');
    }
  }

  async #beforeAgent(prompt: string): Promise<{ readonly context: string | null } | Failure> {
    const { hooks } = this.#parts;
    if (!hooks.listens('BeforeAgent')) return { context: null };
    const report = await hooks.run('BeforeAgent', { prompt }, this.#signal);
    return refusalIn(report) ?? { context: report.additionalContext };
  }

  /** Hooks may find that the work is not done: why is said to the model, which continues. */
  async #afterAgent(
    prompt: string,
    answer: string,
    sentBack: number,
  ): Promise<'done' | 'sent back' | Failure> {
    const { hooks, emit } = this.#parts;
    if (!hooks.listens('AfterAgent')) return 'done';
    const payload = { prompt, prompt_response: answer, stop_hook_active: sentBack > 0 };
    const answered = this.#lastMessage();
    const report = await hooks.run('AfterAgent', payload, this.#signal);
    if (this.#signal.aborted) return 'done';
    const { verdict } = report;
    if (wantsClearContext(report)) {
      const cleared = await this.#clearContext(answered);
      if (cleared) return cleared;
    }
    if (verdict.type === 'stop') emit({ type: 'notice', value: verdict.reason });
    if (verdict.type !== 'deny') return 'done';
    if (sentBack < SENT_BACK_MAX) return this.#say(verdict.reason, 'hook', 'sent back');
    emit({
      type: 'notice',
      value: `Hooks rejected the response ${SENT_BACK_MAX} times: ${verdict.reason}`,
    });
    return 'done';
  }

  /** What was said since is kept: another client may have sent a message while the hook ran. */
  async #clearContext(through: number): Promise<Failure | null> {
    const { live, emit } = this.#parts;
    const cleared = await live.session.compress('', through + 1, null);
    if (!cleared.ok) return cleared.failure;
    emit({ type: 'notice', value: 'A hook cleared the context: the model no longer gets earlier messages.' });
    return null;
  }

  #lastMessage(): number {
    return this.#parts.live.conversation.messages.at(-1)?.id ?? 0;
  }

  async #say<T extends string>(text: string, by: string, done: T): Promise<T | Failure> {
    const { live, prompt } = this.#parts;
    const { promptId } = prompt;
    const said = await live.session.say({ role: 'user', parts: [{ text }], by, promptId });
    return said.ok ? done : said.failure;
  }

  /** Whether the user sent a message that the model has not seen yet. */
  #typedSince(id: number): boolean {
    const { messages } = this.#parts.live.conversation;
    return messages.some((message) => message.role === 'user' && message.id > id);
  }

  /** Why the work ends with the results of calls; null if it continues. */
  #endingWith(over: CallsOver): Ending | null {
    if (!over.ok) return this.#failed(over.failure);
    if (this.#signal.aborted || over.calls.some(wantsStop)) return this.#cancelled();
    const { stop } = this.#parts.listener;
    return stop && this.#failed({ code: 'hook_denied', ...stop });
  }

  /** The answer is complete; that it exceeded a limit, or that this cannot be known, is reported. */
  #answered(): Ending {
    const exceeded = limitExceeded(this.#parts.limits, this.#parts.spent());
    return exceeded ? this.#failed(exceeded) : { type: 'answered' };
  }

  /** What a session that is being left refuses is no failure of the work: it is continued later. */
  #failed(failure: Failure): Ending {
    if (this.#parts.live.leaving.aborted) return this.#cancelled();
    this.#parts.emit({ type: 'error', value: { error: explain(failure), failure } });
    return { type: 'failed', failure };
  }

  #cancelled(): Ending {
    const { emit, live, prompt } = this.#parts;
    if (prompt.signal.aborted || !live.leaving.aborted) emit({ type: 'user_cancelled' });
    return { type: 'cancelled' };
  }
}

const wantsStop = (call: SettledCall): boolean =>
  call.status === 'cancelled' && call.reason.type === 'declined' && call.reason.stop === true;

const contextParts = (context: string | null): readonly MessagePart[] =>
  context === null ? [] : [contextPart(context)];

const textIn = (parts: readonly MessagePart[]): string =>
  parts
    .flatMap(({ text, thought }) => (typeof text === 'string' && thought !== true ? [text] : []))
    .join('\n');
