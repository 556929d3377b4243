import type {
  AnswerPayload,
  ApprovalMode,
  CancelTarget,
  CommandAnalysis,
  Failure,
  Grant,
  GrantPattern,
  JsonObject,
  Origin,
  Outcome,
  Partial,
  Plan,
  Preview,
  StartRule,
  ToolResult,
} from '@countersign/protocol';
import type { Policy } from './policy/rule.js';

/** A call as the shell hands it in: named, checked for existence, hashed. */
export type NewCall = {
  readonly wireId: string;
  readonly name: string;
  readonly args: JsonObject;
  readonly argsHash: string;
  readonly origin: Origin;
  readonly promptId: string;
  readonly waitForPrevious: boolean;
  readonly calledAs: string | null;
  /** Known to be wrong before anything looks at it: no such tool, id taken twice. */
  readonly failure: Failure | null;
};

export type Planned = { readonly plan: Plan; readonly preview: Preview };
export type PlanOutcome =
  | ({ readonly ok: true } & Planned)
  | { readonly ok: false; readonly failure: Failure };

/** What the shell found when it looked again, just before handing an answer in. */
export type Fresh =
  /** Nothing the question rests on can have changed. */
  | { readonly type: 'unchanged' }
  /** Nobody looked: the call did not wait with this question when the answer came. */
  | { readonly type: 'unseen' }
  | { readonly type: 'planned'; readonly outcome: PlanOutcome }
  /** The tool itself objects to the answer. */
  | { readonly type: 'failed'; readonly failure: Failure }
  /** The answer carries other arguments; this is their plan. */
  | {
      readonly type: 'rewritten';
      readonly args: JsonObject;
      readonly argsHash: string;
      readonly outcome: PlanOutcome;
    };

export type ToolOutcome =
  | { readonly ok: true; readonly result: ToolResult }
  | { readonly ok: false; readonly failure: Failure; readonly partial: Partial | null };

/** Everything that can reach the kernel. Time arrives here and nowhere else. */
export type Input = { readonly at: number } & (
  | {
      readonly type: 'open';
      readonly workspace: string;
      readonly mode: ApprovalMode | null;
      readonly policyHash: string;
      /** Grants that were revoked while nobody had the session. */
      readonly goneGrants: readonly string[];
    }
  | {
      readonly type: 'call';
      readonly calls: readonly NewCall[];
      readonly start: StartRule;
      readonly attended: boolean;
      readonly whenBusy: 'queue' | 'reject';
    }
  | {
      readonly type: 'plan.ended';
      readonly callId: string;
      /** An id may come again in a later turn: a report is about the call of this one. */
      readonly turn: number;
      readonly revision: number;
      readonly outcome: PlanOutcome;
    }
  | {
      readonly type: 'answer';
      readonly callId: string;
      readonly digest: string;
      readonly outcome: Outcome;
      readonly payload: AnswerPayload;
      readonly by: string;
      readonly key: string | null;
      readonly fresh: Fresh;
      /** What the tool agrees to of the grant on offer; null for nothing beyond this call, left out for all of it. */
      readonly narrowed?: GrantPattern | null;
      /** The id a grant made by this answer will have. */
      readonly grantId: string;
    }
  | {
      readonly type: 'modify';
      readonly callId: string;
      readonly digest: string;
      readonly args: JsonObject;
      readonly argsHash: string;
      readonly by: string;
    }
  | {
      readonly type: 'tool.ended';
      readonly callId: string;
      readonly turn: number;
      readonly attempt: number;
      readonly outcome: ToolOutcome;
    }
  | { readonly type: 'cancel'; readonly target: CancelTarget; readonly by: string }
  | { readonly type: 'set-mode'; readonly mode: ApprovalMode; readonly by: string }
  | { readonly type: 'policy'; readonly hash: string }
  | { readonly type: 'revoke-grant'; readonly grantId: string; readonly by: string }
  /** Grants that another process revoked. */
  | { readonly type: 'grants-gone'; readonly grantIds: readonly string[] }
);
export type InputOf<T extends Input['type']> = Extract<Input, { type: T }>;

/** What the kernel may look at besides the session. */
export type Circumstances = {
  readonly policy: Policy;
  /** Grants in force, by id, as the store last told. */
  readonly grants: ReadonlyMap<string, Grant>;
  /** What a command line would run, as far as it was taken apart; null for one that was not. */
  readonly commandsOf: (line: string) => CommandAnalysis | null;
  readonly limits: Limits;
};

export type Limits = {
  /** Calls executing at once. */
  readonly runningMax: number;
  /** Starts of one call, retries and repeats after a crash included. */
  readonly attemptsMax: number;
  /** How long the attempt after the n-th waits. */
  readonly backoffMs: (attempt: number) => number;
};
