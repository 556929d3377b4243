import type { Provider } from '@countersign/models';
import type { MessagePart } from '@countersign/protocol';
import { EventQueue } from './event-queue.js';
import type { AgentEvent, Ending } from './events.js';
import { type AgentHooks, emittingMessages, NO_HOOKS } from './hooks/agent-hooks.js';
import { type AgentLimits, DEFAULT_AGENT_LIMITS } from './limits.js';
import type { LiveSession } from './live-session.js';
import { summarise } from './make-room.js';
import { hookedModel } from './model-hooks/hooked-model.js';
import type { AgentOptions, PromptOptions } from './options.js';
import { PromptWork } from './prompt-work.js';
import { SessionListener } from './session-listener.js';
import { type Spending, spent } from './spending.js';

/**
 * Works on prompts: asks the model, has its calls carried out under policy, and
 * hands their results back until it stops by itself, by a limit, or because
 * the user cancels. All messages and calls are in the session's journal,
 * so another agent can continue where this one ends.
 */
export class Agent {
  readonly #live: LiveSession;
  readonly #options: AgentOptions;
  readonly #limits: AgentLimits;
  readonly #hooks: AgentHooks;
  readonly #provider: Provider;
  readonly #queue = new EventQueue<AgentEvent>();
  #spent: Spending;

  constructor(live: LiveSession, options: AgentOptions) {
    this.#live = live;
    this.#options = options;
    this.#limits = { ...DEFAULT_AGENT_LIMITS, ...options.limits };
    this.#hooks = emittingMessages(options.hooks ?? NO_HOOKS, (value) =>
      this.#queue.push({ type: 'notice', value }),
    );
    this.#provider = hookedModel(options.provider, this.#hooks);
    this.#spent = live.spentBefore;
  }

  get spent(): Spending {
    return this.#spent;
  }

  /** Work on a message of the user. Ending the iteration stops the work. */
  prompt(parts: readonly MessagePart[], options: PromptOptions): AsyncGenerator<AgentEvent, Ending> {
    return this.#followed(options, (work) => work.prompt(parts));
  }

  /** Work on what the conversation ends with: a message typed meanwhile, or results that the model has not seen. */
  goOn(options: PromptOptions): AsyncGenerator<AgentEvent, Ending> {
    return this.#followed(options, (work) => work.goOn());
  }

  /** Summarise the conversation at the user's request, even if there is room left. Emits the result. */
  async *compact(signal: AbortSignal): AsyncGenerator<AgentEvent> {
    const { model } = this.#options;
    const working = summarise(
      this.#live,
      {
        provider: this.#provider,
        model,
        hooks: this.#hooks,
        signal: AbortSignal.any([signal, this.#live.leaving]),
        emit: (event) => this.#queue.push(event),
        spend: (usage, name) => {
          this.#spent = spent(this.#spent, usage, name);
        },
      },
      0,
      'manual',
    );
    yield* this.#queue.until(working);
  }

  async *#followed(
    prompt: PromptOptions,
    begin: (work: PromptWork) => Promise<Ending>,
  ): AsyncGenerator<AgentEvent, Ending> {
    const stop = new AbortController();
    const asking = new AbortController();
    const { leaving } = this.#live;
    const stopAsking = () => asking.abort();
    const pass = () => stop.abort(prompt.signal.reason);
    stop.signal.addEventListener('abort', stopAsking);
    leaving.addEventListener('abort', stopAsking);
    if (leaving.aborted) stopAsking();
    if (prompt.signal.aborted) pass();
    prompt.signal.addEventListener('abort', pass);
    const emit = (event: AgentEvent) => this.#queue.push(event);
    const listener = new SessionListener(this.#live, emit);
    const work = new PromptWork({
      ...this.#options,
      live: this.#live,
      limits: this.#limits,
      hooks: this.#hooks,
      provider: this.#provider,
      prompt: { ...prompt, signal: stop.signal },
      asking: asking.signal,
      listener,
      emit,
      spent: () => this.#spent,
      spend: (usage, model) => {
        this.#spent = spent(this.#spent, usage, model);
      },
    });
    const working = begin(work);
    let isOver = false;
    try {
      const ending = yield* this.#queue.until(working);
      isOver = true;
      return ending;
    } finally {
      if (!isOver) stop.abort();
      await Promise.allSettled([working]);
      listener.close();
      prompt.signal.removeEventListener('abort', pass);
      leaving.removeEventListener('abort', stopAsking);
    }
  }
}
