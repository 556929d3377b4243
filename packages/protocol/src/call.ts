import type { AnswerPayload } from './answer-payload.js';
import type { Confirmation, Offer, Outcome } from './confirmation.js';
import type { Failure } from './failures/failure.js';
import type { FollowUp, HookAdvice } from './hook.js';
import type { Json, JsonObject } from './json/json.js';
import type { Plan } from './plan.js';
import type { GrantPattern } from './policy/grant.js';
import type { RuleRef, Verdict } from './policy/policy.js';

export const STATUSES = [
  'validating',
  'awaiting_approval',
  'scheduled',
  'executing',
  'success',
  'error',
  'cancelled',
] as const;
export type Status = (typeof STATUSES)[number];

/** Who requests the call: the model, a person who types it, or a program that uses one of our interfaces. */
export type Origin = 'model' | 'person' | 'client';

/** A requested call, with canonical names of tool and arguments. */
export type CallRequest = {
  /** Unique among the open calls of the session. */
  readonly callId: string;
  /** The id as it was given, which may repeat across turns. */
  readonly wireId: string;
  readonly name: string;
  readonly args: JsonObject;
  /** Hash of name and canonical arguments. */
  readonly argsHash: string;
  readonly origin: Origin;
  readonly promptId: string;
  readonly turn: number;
  /** Place in the turn: results are handed back in this order. */
  readonly index: number;
  /** Grows whenever the arguments are replaced, so that a report about older arguments is recognised. */
  readonly revision: number;
  readonly at: number;
  /** Start only after all earlier calls of the turn have ended (`wait_for_previous`). */
  readonly waitForPrevious: boolean;
  /** The name the model used, when it was an alias. */
  readonly calledAs: string | null;
  /** Who replaced its arguments last: a person, or `hook NAME`; omitted while they are as requested. */
  readonly changedBy?: string;
  /** Present if an AfterTool hook requested the call. */
  readonly followUp?: FollowUp;
  /** The running call that requested this one and continues with its result; the model does not see it. */
  readonly within?: string;
  /** In whose name that call asks the user, in our words: `the MCP server NAME`. */
  readonly asker?: string;
};

/** What a person is being asked. */
export type Question = {
  readonly digest: string;
  readonly confirmation: Confirmation;
  readonly offers: readonly Offer[];
  readonly askedAt: number;
};

/** What a person would be shown. Reading `confirmation` may compute it: read it only to ask. */
export type Preview = {
  readonly confirmation: Confirmation;
  /** A tool that wants to receive the answer, in the process where it was planned. */
  readonly onAnswer?: ((outcome: Outcome, payload: AnswerPayload) => void | Promise<void>) | undefined;
  /** The part of an offered grant that the tool agrees to; null for none beyond this call. */
  readonly narrowGrant?: ((outcome: Outcome, offered: GrantPattern) => GrantPattern | null) | undefined;
};

/** The answer of a person. */
export type Answer = {
  readonly outcome: Outcome;
  readonly by: string;
  readonly at: number;
  readonly digest: string;
  /** Names this very answer, so that sending it again is recognised; null when the sender gave none. */
  readonly key: string | null;
  readonly feedback: string | null;
  /** To the questions of `ask_user`; omitted where there were none. */
  readonly answers?: Json;
  /** Hash of everything that it carried besides its outcome; omitted if that was nothing, and by older releases. */
  readonly payloadDigest?: string;
};

/** The proof a call needs to run: who allowed exactly this digest. */
export type Permit = { readonly digest: string; readonly by: PermitSource };
export type PermitSource =
  | { readonly type: 'policy'; readonly rule: RuleRef | null }
  | { readonly type: 'grant'; readonly grantId: string }
  | { readonly type: 'hook'; readonly hook: string }
  | { readonly type: 'person'; readonly who: string };

/**
 * Content for the model: text, or Gemini-style parts.
 *
 * @example
 * ```ts
 * const content: ModelContent = ['Two images:', { fileData: { fileUri: 'file:///a.png', mimeType: 'image/png' } }];
 * ```
 */
export type ModelContent = string | JsonObject | readonly (string | JsonObject)[];

export type ToolResult = {
  readonly llmContent: ModelContent;
  readonly returnDisplay: Json;
  /** Of a command that was run to its end. */
  readonly exitCode?: number;
};

export type ToolOutcome =
  | { readonly ok: true; readonly result: ToolResult }
  | { readonly ok: false; readonly failure: Failure; readonly partial: Partial | null };

export type CancelReason =
  | {
      readonly type: 'declined';
      readonly by: string;
      readonly feedback: string | null;
      /** The person wants the agent to stop there. */
      readonly stop?: true;
    }
  | { readonly type: 'aborted'; readonly by: string }
  | { readonly type: 'grant_revoked'; readonly grantId: string }
  /** The running call that requested it ended first. */
  | { readonly type: 'withdrawn' }
  /** It was granted and had not started when its process ended, and the rules of the next one do not let it. */
  | { readonly type: 'rules_changed'; readonly reason: string; readonly rule: string | null };

/** What was left behind by a call that was cancelled or failed while running. */
export type Partial = { readonly output: string; readonly mayHaveHappened: boolean };

export type ValidatingCall = { readonly status: 'validating'; readonly request: CallRequest } & (
  | { readonly step: 'planning' }
  | {
      readonly step: 'judged';
      readonly plan: Plan;
      readonly verdict: Verdict;
      readonly advice: HookAdvice | null;
    }
);
export type AwaitingCall = {
  readonly status: 'awaiting_approval';
  readonly request: CallRequest;
  readonly verdict: Verdict;
  readonly question: Question;
  readonly plan: Plan;
  /** 'replanning': a person replaced the arguments and the new question is being made. */
  readonly step: 'asked' | 'replanning';
  /** The answer, while it is being carried out; null until one arrives. */
  readonly answer: Answer | null;
  /** The advice of BeforeTool hooks. */
  readonly advice: HookAdvice | null;
  /** How often it was started before the sandbox stopped it and this was asked. */
  readonly starts: number;
  /** What the last of those runs left behind; null if there was none. */
  readonly left: Partial | null;
};
type Permitted = {
  readonly request: CallRequest;
  readonly plan: Plan;
  readonly permit: Permit;
  readonly answer: Answer | null;
  /** How policy judged it, also where a person, a grant or a hook then allowed it. */
  readonly verdict?: Verdict | null;
};
export type ScheduledCall = Permitted & {
  readonly status: 'scheduled';
  readonly starts: number;
  readonly left: Partial | null;
};
export type ExecutingCall = Permitted & {
  readonly status: 'executing';
  readonly attempt: number;
  readonly epoch: number;
  readonly startedAt: number;
  /** How long this attempt waits before it begins (back-off). */
  readonly delayMs: number;
  /** Set by a cancellation; the call stays `executing` until its tool has stopped. */
  readonly aborting: CancelReason | null;
  /** The result of the tool, while AfterTool hooks check it. */
  readonly finished: ToolOutcome | null;
};
export type SuccessfulCall = Permitted & {
  readonly status: 'success';
  readonly attempt: number;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly result: ToolResult;
};
type Unsuccessful = {
  readonly request: CallRequest;
  readonly answer: Answer | null;
  /** Omitted where nothing allowed it to run. */
  readonly permit?: Permit;
  /** Null where it ended before policy judged it. */
  readonly verdict?: Verdict | null;
  readonly startedAt: number | null;
  readonly endedAt: number;
  readonly partial: Partial | null;
};
export type ErroredCall = Unsuccessful & { readonly status: 'error'; readonly failure: Failure };
export type CancelledCall = Unsuccessful & { readonly status: 'cancelled'; readonly reason: CancelReason };

/** A call is in one of seven statuses and carries what is true in that one, nothing else. */
export type ToolCall =
  | ValidatingCall
  | AwaitingCall
  | ScheduledCall
  | ExecutingCall
  | SuccessfulCall
  | ErroredCall
  | CancelledCall;
export type SettledCall = SuccessfulCall | ErroredCall | CancelledCall;

export const isSettled = (call: ToolCall): call is SettledCall =>
  call.status === 'success' || call.status === 'error' || call.status === 'cancelled';
