import { explain, type Failure, type MessagePart } from '@countersign/protocol';
import { Frames } from './frames.js';
import type { SessionStore } from './session-store.js';

/**
 * An event of an agent while it works on a prompt, as far as a front end has to show it before it is an event of the session.
 *
 * @example
 * ```ts
 * const textOf = (event: StreamEvent) => (event.type === 'content' ? event.value : '');
 * ```
 */
export type StreamEvent =
  | { readonly type: 'content'; readonly value: string }
  | {
      readonly type: 'thought';
      readonly value: { readonly subject: string; readonly description: string };
    }
  | {
      readonly type: 'error';
      readonly value: { readonly error: { readonly message: string; readonly hint: string } };
    }
  | {
      readonly type: 'retry';
      readonly value: { readonly attempt: number; readonly delayMs: number; readonly because: Failure };
    }
  | { readonly type: 'notice'; readonly value: string }
  | { readonly type: 'finished' | 'user_cancelled' }
  | {
      readonly type:
        | 'tool_call_request'
        | 'tool_call_confirmation'
        | 'tool_call_response'
        | 'chat_compressed';
    };

/**
 * A message to an agent: text, or the parts of a message.
 *
 * @example
 * ```ts
 * const words: PromptWords = 'Run the tests.';
 * await stream.submit(words);
 * ```
 */
export type PromptWords = string | readonly MessagePart[];

/**
 * The agent that works on prompts.
 *
 * @example
 * ```ts
 * const echo: AgentPort = {
 *   async *prompt(words: PromptWords) {
 *     yield { type: 'content', value: String(words) };
 *     yield { type: 'finished' };
 *   },
 *   async *goOn() {},
 * };
 * ```
 */
export type AgentPort = {
  /** `typed`: what of it a person typed themselves; only there does `@` name files. */
  readonly prompt: (words: PromptWords, typed: string, signal: AbortSignal) => AsyncIterable<StreamEvent>;
  /** Work on messages that other clients sent in the meantime. */
  readonly goOn: (signal: AbortSignal) => AsyncIterable<StreamEvent>;
};

/**
 * Whether the agent is idle, is responding, or one of its calls waits for a person.
 *
 * @example
 * ```ts
 * const isBusy = (state: StreamingState) => state !== 'idle';
 * ```
 */
export type StreamingState = 'idle' | 'responding' | 'waiting_for_confirmation';

/**
 * A message for the person that is not an event of the session.
 *
 * @example
 * ```ts
 * const line = ({ as, text }: Aside) => `${as}: ${text}`;
 * ```
 */
export type Aside = {
  readonly id: number;
  readonly as: 'notice' | 'error' | 'unfinished answer' | 'cancelled';
  readonly text: string;
};

/**
 * The agent's current work, to be drawn. Replaced as a whole at every change.
 *
 * @example
 * ```ts
 * const draw = ({ state, text, thought }: StreamView) => show(state, thought ?? text);
 * ```
 */
export type StreamView = {
  readonly state: StreamingState;
  /** The text that the model has streamed so far. */
  readonly text: string;
  /** The latest thought; null once the model streams text. */
  readonly thought: string | null;
  /** Why it takes longer; null if nothing is known to be wrong. */
  readonly retry: { readonly attempt: number; readonly because: Failure } | null;
  /** Milliseconds since 1970; null while idle. */
  readonly since: number | null;
  readonly asides: readonly Aside[];
};

/** By then, stored events have arrived here. */
const FACTS_ARRIVE_MS = 50;

const IDLE = { text: '', thought: null, retry: null, since: null } as const;

/**
 * Sends one prompt at a time. A message that is submitted meanwhile goes to the session, and the agent reads it with its next turn.
 *
 * @example
 * ```ts
 * const open = (agent: AgentPort) => new AgentStream(store, agent, 'me');
 * await stream.submit('What is in package.json?');
 * ```
 */
export class AgentStream {
  readonly #store: SessionStore;
  readonly #by: string;
  readonly #frames = new Frames(() => {
    this.#view = this.#draw();
  });
  #agent: AgentPort | null;
  #stop: AbortController | null = null;
  /** Streamed texts since the last stored message: one for each response, of which the last continues. */
  #texts: string[] = [];
  #isLastOver = true;
  #isBehind = false;
  #isUnanswered = false;
  #endedWell = true;
  #working: Promise<void> = Promise.resolve();
  #asides: readonly Aside[] = [];
  #live: Omit<StreamView, 'state' | 'asides' | 'text'> = IDLE;
  #view: StreamView;

  constructor(store: SessionStore, agent: AgentPort | null, by: string) {
    this.#store = store;
    this.#agent = agent;
    this.#by = by;
    this.#view = this.#draw();
    store.subscribe(() => this.#frames.now());
    store.onEvent((event) => {
      if (event.type !== 'message.added') return;
      this.#isUnanswered = event.message.role === 'user';
      if (event.message.role === 'model') this.#texts.shift();
      else if (this.#stop === null && store.view().isCaughtUp) this.#isBehind = true;
      if (this.#isBehind) queueMicrotask(() => void this.#catchUp());
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => this.#frames.subscribe(listener);
  readonly view = (): StreamView => this.#view;

  /** Another model, from the next prompt on. */
  speakWith(agent: AgentPort | null): void {
    this.#agent = agent;
  }

  get isWorking(): boolean {
    return this.#stop !== null;
  }

  /** Resolves when the agent has finished it, or has received it as a further message. */
  async submit(words: PromptWords, typed = typeof words === 'string' ? words : ''): Promise<void> {
    const agent = this.#agent;
    if (agent === null) return;
    if (this.#stop === null) return this.#work((signal) => agent.prompt(words, typed, signal));
    const parts = typeof words === 'string' ? [{ text: words }] : words;
    const ack = await this.#store.client.send({ type: 'prompt', parts, by: this.#by });
    if (!ack.ok) return this.say('error', explain(ack.failure).message);
    await this.#afterWork();
  }

  /** Continue what was left open: calls of an earlier process, or a message without a response. */
  async takeUp(): Promise<void> {
    const agent = this.#agent;
    if (agent !== null && this.#stop === null) await this.#work((signal) => agent.goOn(signal));
  }

  /** False if there was nothing to stop. */
  cancel(): boolean {
    if (this.#stop === null || this.#stop.signal.aborted) return false;
    this.#stop.abort();
    return true;
  }

  say(as: Aside['as'], text: string): void {
    this.#asides = [...this.#asides, { id: this.#asides.length, as, text }];
    this.#frames.now();
  }

  /** The agent may have ended in the very moment in which this was sent: then it starts again. */
  async #afterWork(): Promise<void> {
    await this.#working;
    await new Promise((resolve) => setTimeout(resolve, FACTS_ARRIVE_MS));
    if (this.#endedWell && this.#isUnanswered) await this.takeUp();
  }

  /** A message arrived while the agent was idle: from another terminal, or another process. */
  async #catchUp(): Promise<void> {
    if (!this.#isBehind || this.#stop !== null) return;
    this.#isBehind = false;
    await this.takeUp();
  }

  #work(begin: (signal: AbortSignal) => AsyncIterable<StreamEvent>): Promise<void> {
    this.#working = this.#workToTheEnd(begin);
    return this.#working;
  }

  async #workToTheEnd(begin: (signal: AbortSignal) => AsyncIterable<StreamEvent>): Promise<void> {
    const stop = new AbortController();
    this.#stop = stop;
    this.#endedWell = true;
    this.#live = { ...IDLE, since: Date.now() };
    this.#frames.now();
    try {
      for await (const event of begin(stop.signal)) this.#receive(event);
    } catch (thrown) {
      this.say('error', thrown instanceof Error ? thrown.message : String(thrown));
    } finally {
      this.#stop = null;
      this.#texts = [];
      this.#isLastOver = true;
      this.#live = IDLE;
      this.#frames.now();
    }
  }

  #receive(event: StreamEvent): void {
    switch (event.type) {
      case 'content':
        if (this.#isLastOver) this.#texts.push('');
        this.#isLastOver = false;
        this.#texts.push((this.#texts.pop() ?? '') + event.value);
        this.#live = { ...this.#live, thought: null, retry: null };
        return this.#frames.soon();
      case 'thought': {
        const { subject, description } = event.value;
        this.#live = { ...this.#live, thought: subject || description, retry: null };
        return this.#frames.soon();
      }
      case 'retry':
        this.#live = { ...this.#live, retry: event.value };
        this.#dropUnfinished();
        return this.#frames.now();
      case 'finished':
        // A response without text is stored as a message, too.
        if (this.#isLastOver) this.#texts.push('');
        this.#isLastOver = true;
        this.#live = { ...this.#live, thought: null, retry: null };
        return this.#frames.now();
      case 'error': {
        this.#keepUnfinished();
        const { message, hint } = event.value.error;
        return this.say('error', `${message}\n${hint}`);
      }
      case 'user_cancelled':
        this.#keepUnfinished();
        return this.say('cancelled', 'Cancelled.');
      case 'notice':
        return this.say('notice', event.value);
      case 'tool_call_request':
      case 'tool_call_confirmation':
      case 'tool_call_response':
      case 'chat_compressed':
    }
  }

  /** It is not part of the conversation, but the user has read it. */
  #keepUnfinished(): void {
    this.#endedWell = false;
    const text = this.#isLastOver ? '' : (this.#texts.at(-1) ?? '');
    this.#dropUnfinished();
    if (text.trim() !== '') this.say('unfinished answer', text);
  }

  #dropUnfinished(): void {
    if (!this.#isLastOver) this.#texts.pop();
    this.#isLastOver = true;
  }

  #draw(): StreamView {
    const isWaiting = this.#store.view().waiting.length > 0;
    const state = isWaiting ? 'waiting_for_confirmation' : this.#stop === null ? 'idle' : 'responding';
    return { ...this.#live, state, text: this.#texts.join('\n\n'), asides: this.#asides };
  }
}
