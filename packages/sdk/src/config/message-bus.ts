import type { AskedQuestion, Json, JsonObject } from '@countersign/protocol';
import type { ToolCall } from '../types/call-types.js';
import type { ToolConfirmationOutcome } from '../types/enums.js';
import type { ToolCallConfirmationDetails, ToolConfirmationPayload } from '../types/tool-types.js';

/**
 * A message of the `MessageBus`.
 *
 * @example
 * ```ts
 * const isQuestion = (message: BusMessage) => message.type === 'tool-confirmation-request';
 * ```
 */
export type BusMessage =
  | {
      readonly type: 'tool-confirmation-request';
      /** Names the question; an answer repeats it. */
      readonly correlationId: string;
      readonly toolCall: { readonly id: string; readonly name: string; readonly args: JsonObject };
      readonly details: ToolCallConfirmationDetails;
      readonly digest: string;
    }
  | {
      readonly type: 'tool-confirmation-response';
      readonly correlationId: string;
      readonly digest: string;
      readonly outcome: ToolConfirmationOutcome;
      readonly payload?: ToolConfirmationPayload;
    }
  | {
      readonly type: 'tool-policy-rejection';
      readonly toolCall: { readonly name: string; readonly args: JsonObject };
      readonly reason: string;
    }
  | { readonly type: 'tool-calls-update'; readonly toolCalls: readonly ToolCall[] }
  /** A grant was made or revoked. Emitted by the engine; no other part can change policy this way. */
  | {
      readonly type: 'update-policy';
      readonly change: 'grant.added' | 'grant.revoked';
      readonly grantId: string;
    }
  | {
      readonly type: 'ask-user-request';
      readonly correlationId: string;
      readonly questions: readonly AskedQuestion[];
    }
  | { readonly type: 'ask-user-response'; readonly correlationId: string; readonly answers: Json };

/**
 * The types of message on the `MessageBus`.
 *
 * @example
 * ```ts
 * const types: BusMessageType[] = ['tool-confirmation-request', 'tool-calls-update'];
 * ```
 */
export type BusMessageType = BusMessage['type'];
type MessageOf<T extends BusMessageType> = Extract<BusMessage, { type: T }>;

/**
 * A view of a session's events and commands for programs that think in messages. It decides nothing: a
 * `tool-confirmation-response` answers exactly like `onConfirm`.
 *
 * @example
 * ```ts
 * const bus = new MessageBus();
 * bus.subscribe('tool-confirmation-request', ({ correlationId, digest }) =>
 *   bus.publish({
 *     type: 'tool-confirmation-response',
 *     correlationId,
 *     digest,
 *     outcome: ToolConfirmationOutcome.ProceedOnce,
 *   }),
 * );
 * const config = new Config({ messageBus: bus });
 * ```
 */
export class MessageBus {
  readonly #listeners = new Map<BusMessageType, Set<(message: never) => void>>();
  readonly #onTrouble: (thrown: unknown) => void;

  constructor(
    onTrouble: (thrown: unknown) => void = (thrown) =>
      process.emitWarning(thrown instanceof Error ? thrown : String(thrown)),
  ) {
    this.#onTrouble = onTrouble;
  }

  /** Sends a message to its subscribers. Policy cannot be changed from outside: `update-policy` is refused. */
  publish(message: BusMessage): void {
    if (message.type === 'update-policy') {
      throw new Error(
        'Messages cannot change the policy. Use PolicyEngine.addRule, or answer a question with an "always" outcome.',
      );
    }
    this.#deliver(message);
  }

  /** Subscribes to all messages of a type, until the signal fires or the returned function is called. */
  subscribe<T extends BusMessageType>(
    type: T,
    listener: (message: MessageOf<T>) => void,
    options: { readonly signal?: AbortSignal } = {},
  ): () => void {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners);
    listeners.add(listener);
    const stop = () => {
      listeners.delete(listener);
      options.signal?.removeEventListener('abort', stop);
    };
    if (options.signal?.aborted) stop();
    else options.signal?.addEventListener('abort', stop);
    return stop;
  }

  /** For the engine only: emits to every listener. */
  static announce(bus: MessageBus, message: BusMessage): void {
    bus.#deliver(message);
  }

  #deliver(message: BusMessage): void {
    for (const listener of [...(this.#listeners.get(message.type) ?? [])]) {
      try {
        listener(message as never);
      } catch (thrown) {
        this.#onTrouble(thrown);
      }
    }
  }
}
