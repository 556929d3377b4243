import type { Part } from '@countersign/kernel';
import type { Confirmation, Failure, Json, JsonObject, Offer, TokenUsage } from '@countersign/protocol';

/** What happens while a prompt is worked on, in the names that users of Gemini CLI's `Turn` know. */
export type AgentEvent =
  | { readonly type: 'content'; readonly value: string }
  | { readonly type: 'thought'; readonly value: Thought }
  | { readonly type: 'tool_call_request'; readonly value: RequestInfo }
  | { readonly type: 'tool_call_confirmation'; readonly value: ConfirmationInfo }
  | { readonly type: 'tool_call_response'; readonly value: ResponseInfo }
  | { readonly type: 'chat_compressed'; readonly value: Compressed }
  | { readonly type: 'user_cancelled' }
  | {
      readonly type: 'error';
      readonly value: {
        readonly error: { readonly message: string; readonly hint: string };
        readonly failure: Failure;
      };
    }
  /** The model ended its response, with calls or for the last time. */
  | {
      readonly type: 'finished';
      readonly value: {
        readonly reason: string;
        readonly usage: TokenUsage | null;
        /** The one that answered, by its own name. */
        readonly model: string;
        /** From the request to here. */
        readonly durationMs: number;
      };
    }
  /** The provider had a passing fault; it is tried again. */
  | {
      readonly type: 'retry';
      readonly value: { readonly attempt: number; readonly delayMs: number; readonly because: Failure };
    }
  /** Something for the person that is no part of the conversation, e.g. what a hook has to say. */
  | { readonly type: 'notice'; readonly value: string };

export type Thought = { readonly subject: string; readonly description: string };

export type RequestInfo = {
  readonly callId: string;
  readonly name: string;
  readonly args: JsonObject;
  readonly isClientInitiated: boolean;
  readonly prompt_id: string;
};

export type ConfirmationInfo = {
  readonly callId: string;
  readonly name: string;
  readonly digest: string;
  readonly details: Confirmation;
  readonly offers: readonly Offer[];
  /** Why it is asked. */
  readonly reason: string;
};

export type ResponseInfo = {
  readonly callId: string;
  readonly name: string;
  /** What it did, for people; its name where it was never planned. */
  readonly title: string;
  readonly status: 'success' | 'error' | 'cancelled';
  readonly responseParts: readonly Part[];
  readonly resultDisplay: Json;
  readonly error: string | null;
  readonly errorType: string | null;
  readonly durationMs: number;
  /** It was started and did not report its end, so it may have taken effect. */
  readonly mayHaveHappened?: true;
  /** It had finished when it was cancelled, and the parts hold its whole result. */
  readonly complete?: true;
};

export type Compressed = {
  readonly how: 'outputs masked' | 'summarised';
  readonly originalTokenCount: number;
  /** An estimate, until the next response reports it. */
  readonly newTokenCount: number;
};

/** How the work on a prompt ended. */
export type Ending =
  | { readonly type: 'answered' }
  | { readonly type: 'cancelled' }
  | { readonly type: 'failed'; readonly failure: Failure };
