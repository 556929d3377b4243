import type { JsonObject } from './json/json.js';

/** One part of a message, in Gemini's words (`text`, `functionCall`, `inlineData` …): what a model said is kept verbatim. */
export type MessagePart = JsonObject;

export type TokenUsage = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The part of the input that the provider had cached. */
  readonly cachedTokens: number;
  readonly thoughtTokens: number;
};

export type UserMessage = {
  readonly role: 'user';
  readonly parts: readonly MessagePart[];
  readonly by: string;
  /** Names the prompt, and all that follows from it. */
  readonly promptId: string;
};

export type ModelMessage = {
  readonly role: 'model';
  readonly parts: readonly MessagePart[];
  readonly model: string;
  readonly usage: TokenUsage | null;
  /** Why it stopped, in the provider's own word. */
  readonly finish: string;
  /** The turn that its calls make up; null if it made none. Its result is the user's side of what follows. */
  readonly turn: number | null;
  readonly promptId: string;
};

/** What was said, numbered in the order in which it was. */
export type Message = (UserMessage | ModelMessage) & { readonly id: number; readonly at: number };
