import type { Content, Part } from '@countersign/kernel';
import { ModelError, type ModelEvent, type Provider } from '@countersign/models';
import { explain, type JsonObject, type MessagePart, type TokenUsage } from '@countersign/protocol';
import type { ToolRegistry } from './tools/tool-registry.js';
import type { ToolCallRequestInfo } from './types/call-types.js';
import { GeminiEventType } from './types/enums.js';

/**
 * An event of a `Turn` while the model answers.
 *
 * @example
 * ```ts
 * const textOf = (event: ServerGeminiStreamEvent) => (event.type === GeminiEventType.Content ? event.value : '');
 * ```
 */
export type ServerGeminiStreamEvent =
  | { readonly type: typeof GeminiEventType.Content; readonly value: string }
  | {
      readonly type: typeof GeminiEventType.Thought;
      readonly value: { readonly subject: string; readonly description: string };
    }
  | { readonly type: typeof GeminiEventType.ToolCallRequest; readonly value: ToolCallRequestInfo }
  | { readonly type: typeof GeminiEventType.UserCancelled }
  | {
      readonly type: typeof GeminiEventType.Error;
      readonly value: { readonly error: { readonly message: string; readonly hint?: string } };
    }
  | {
      readonly type: typeof GeminiEventType.Finished;
      readonly value: { readonly reason: string; readonly usageMetadata: TokenUsage | undefined };
    };

/**
 * The argument of `Turn`: the provider and model, the history, and the tools.
 *
 * @example
 * ```ts
 * const options: TurnOptions = { ...(await modelFor()), systemInstruction: 'Be brief.', toolRegistry: registry };
 * ```
 */
export type TurnOptions = {
  readonly provider: Provider;
  readonly model: string;
  readonly systemInstruction?: string;
  /** Declares its tools to the model. */
  readonly toolRegistry?: ToolRegistry;
  /** The conversation before this turn. It is not changed: pass the turn's own `history` to the next. */
  readonly history?: readonly Content[];
  readonly prompt_id?: string;
};

/**
 * One exchange with a model: a message is sent, and the answer arrives as a stream of events. The calls that the model
 * requests are collected, not run; their results begin the next turn.
 *
 * @example
 * ```ts
 * const { provider, model } = await modelFor();
 * const turn = new Turn({ provider, model, toolRegistry: registry });
 * for await (const event of turn.run('What is in package.json?', signal)) {
 *   if (event.type === GeminiEventType.Content) show(event.value);
 * }
 * await scheduler.schedule([...turn.pendingToolCalls], signal);
 * ```
 */
export class Turn {
  readonly #options: TurnOptions;
  readonly #pending: ToolCallRequestInfo[] = [];
  #history: readonly Content[];

  constructor(options: TurnOptions) {
    this.#options = options;
    this.#history = options.history ?? [];
  }

  /** The calls that the model asked for, in their order. */
  get pendingToolCalls(): readonly ToolCallRequestInfo[] {
    return this.#pending;
  }

  /** The conversation so far, with this turn once it has succeeded. */
  get history(): readonly Content[] {
    return this.#history;
  }

  async *run(
    parts: string | Part | readonly (Part | string)[],
    signal: AbortSignal = new AbortController().signal,
  ): AsyncGenerator<ServerGeminiStreamEvent> {
    const { provider, model, systemInstruction = '', toolRegistry } = this.#options;
    const message: Content = { role: 'user', parts: asParts(parts) };
    const request = {
      model,
      system: systemInstruction,
      contents: [...this.#history, message],
      declarations: toolRegistry?.getFunctionDeclarations(model) ?? [],
    };
    try {
      for await (const event of provider.stream(request, signal)) {
        if (event.type === 'finished') this.#history = [...this.#history, message, event.content];
        const shown = this.#eventFor(event);
        if (shown) yield shown;
      }
    } catch (thrown) {
      // Calls of a turn that failed are not run.
      this.#pending.length = 0;
      if (signal.aborted) yield { type: GeminiEventType.UserCancelled };
      else if (thrown instanceof ModelError)
        yield { type: GeminiEventType.Error, value: { error: explain(thrown.failure) } };
      else throw thrown;
    }
  }

  #eventFor(event: ModelEvent): ServerGeminiStreamEvent | null {
    switch (event.type) {
      case 'text':
        return { type: GeminiEventType.Content, value: event.text };
      case 'thought':
        return { type: GeminiEventType.Thought, value: { subject: '', description: event.text } };
      case 'call': {
        const request = this.#requestFor(event.id, event.name, event.args);
        this.#pending.push(request);
        return { type: GeminiEventType.ToolCallRequest, value: request };
      }
      case 'bad_call':
        return {
          type: GeminiEventType.Error,
          value: { error: { message: `The call of ${event.name} cannot be read: ${event.problem}` } },
        };
      case 'finished':
        return {
          type: GeminiEventType.Finished,
          value: { reason: event.reason, usageMetadata: event.usage ?? undefined },
        };
      case 'retry':
        return null;
    }
  }

  #requestFor(id: string | null, name: string, args: JsonObject): ToolCallRequestInfo {
    const { prompt_id = '' } = this.#options;
    const callId = id ?? `${name}-${Date.now()}-${this.#pending.length}`;
    return { callId, name, args, isClientInitiated: false, prompt_id };
  }
}

function asParts(parts: string | Part | readonly (Part | string)[]): readonly MessagePart[] {
  const plain = [parts].flat().map((part) => (typeof part === 'string' ? { text: part } : part));
  return JSON.parse(JSON.stringify(plain)) as MessagePart[];
}
