import type { Failure, JsonObject } from '@countersign/protocol';

/**
 * One part of a message, in Gemini's words: `text`, `functionCall`, `functionResponse`, `inlineData`, `fileData`, with
 * `thought` and `thoughtSignature` where the model gave them. What a wire has and Gemini has no word for is kept in
 * `wire`, so that it can be handed back verbatim.
 */
export type Part = JsonObject;
export type Content = { readonly role: 'user' | 'model'; readonly parts: readonly Part[] };

export type Declaration = {
  readonly name: string;
  readonly description: string;
  readonly parametersJsonSchema: JsonObject;
};

export type ModelRequest = {
  readonly model: string;
  readonly system: string;
  readonly contents: readonly Content[];
  readonly declarations: readonly Declaration[];
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  /** Which functions may be called; absent: as the model sees fit. */
  readonly toolChoice?: {
    readonly mode: 'auto' | 'any' | 'none';
    readonly allowed?: readonly string[];
  };
};

export type Usage = {
  /** All that was sent, what was cached included. */
  readonly inputTokens: number;
  /** All that the model made, thoughts included. */
  readonly outputTokens: number;
  /** Of the input, what the provider had kept from earlier requests. */
  readonly cachedTokens: number;
  /** Of the output, what the model thought. */
  readonly thoughtTokens: number;
};

/** Why the model stopped. `calls`: it wants functions called. */
export type FinishReason = 'stop' | 'calls' | 'length' | 'safety' | 'malformed_call' | 'other';

export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thought'; readonly text: string }
  /** A call that is complete. `id` is the provider's own, null if it gave none. */
  | { readonly type: 'call'; readonly id: string | null; readonly name: string; readonly args: JsonObject }
  /** A call whose arguments are not JSON, or cut off: the error is sent to the model. */
  | { readonly type: 'bad_call'; readonly id: string | null; readonly name: string; readonly problem: string }
  /** Waiting before another try, since the provider had a passing fault. */
  | { readonly type: 'retry'; readonly attempt: number; readonly delayMs: number; readonly because: Failure }
  | FinishedEvent;

/** The last event: all that the model said, as the history has to hold it. */
export type FinishedEvent = {
  readonly type: 'finished';
  readonly reason: FinishReason;
  /** The provider's own word for it. */
  readonly said: string;
  /** What the provider added in words, e.g. what is wrong with a malformed call. */
  readonly message: string | null;
  readonly content: Content;
  readonly usage: Usage | null;
  readonly model: string;
};

/** What a provider could not do, as data: `failure.code` is one of the `model_…` codes. */
export class ModelError extends Error {
  constructor(readonly failure: Failure) {
    super(failure.code);
    this.name = 'ModelError';
  }
}

/** A model behind a wire. A stream ends with `finished`, or throws: `ModelError`, or what the signal was aborted with. */
export type Provider = {
  readonly name: string;
  readonly stream: (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>;
};
