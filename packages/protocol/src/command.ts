import type { CommandIdentity } from './accepted-command.js';
import type { AnswerPayload } from './answer-payload.js';
import type { Origin } from './call.js';
import type { Outcome } from './confirmation.js';
import type { StartRule } from './event.js';
import type { JsonObject } from './json/json.js';
import type { MessagePart } from './message.js';
import type { ApprovalMode } from './policy/policy.js';

/** A call as a model or a person writes it: anything may be missing or misnamed. */
export type WantedCall = {
  readonly callId?: string;
  readonly name?: string;
  readonly args?: JsonObject;
  readonly origin?: Origin;
  readonly promptId?: string;
};

/** A request from outside. It may be refused with a reason, and it is never stored as such. */
export type Command = {
  /** Present if the same command may be sent again: it has one effect, and one reply. */
  readonly identity?: CommandIdentity;
} & (
  | {
      readonly type: 'call';
      readonly calls: readonly WantedCall[];
      readonly start?: StartRule;
      readonly attended?: 'somebody' | 'nobody';
    }
  | {
      readonly type: 'answer';
      readonly callId: string;
      readonly digest: string;
      readonly outcome: Outcome;
      readonly payload?: AnswerPayload;
      readonly by: string;
      readonly key?: string;
    }
  /** A message to the model; the owner of the session passes it on. */
  | {
      readonly type: 'prompt';
      readonly parts: readonly MessagePart[];
      readonly by: string;
      readonly promptId?: string;
    }
  /** Replace the arguments of a waiting call and ask again. */
  | {
      readonly type: 'modify';
      readonly callId: string;
      readonly digest: string;
      readonly args: JsonObject;
      readonly by: string;
    }
  | { readonly type: 'cancel'; readonly target: CancelTarget; readonly by: string }
  | { readonly type: 'set-mode'; readonly mode: ApprovalMode; readonly by: string }
  | { readonly type: 'revoke-grant'; readonly grantId: string; readonly by: string }
);

export type CancelTarget =
  | { readonly type: 'call'; readonly callId: string }
  | { readonly type: 'turn'; readonly turn: number }
  | { readonly type: 'all' };
