import type {
  AnswerPayload,
  ApprovalMode,
  CallRequest,
  CancelTarget,
  CommandAnalysis,
  Failure,
  Grant,
  GrantPattern,
  HookAdvice,
  HookNote,
  JsonObject,
  ModelMessage,
  Origin,
  Outcome,
  Plan,
  Preview,
  SessionSetup,
  StartRule,
  TokenUsage,
  ToolOutcome,
  UserMessage,
} from '@countersign/protocol';
import type { Policy } from '../policy/rule.js';

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
/** The result of BeforeTool hooks, which run while a call is planned. */
export type Hooked = {
  readonly advice: HookAdvice | null;
  /** They changed the arguments: the plan is that of these. */
  readonly rewritten: { readonly args: JsonObject; readonly argsHash: string; readonly by: string } | null;
  readonly notes: readonly HookNote[];
};

export type PlanOutcome =
  | ({ readonly ok: true } & Planned)
  | { readonly ok: false; readonly failure: Failure };

/** The result of planning again, just before an answer is submitted. */
export type Fresh =
  /** Nothing the question rests on can have changed. */
  | { readonly type: 'unchanged' }
  /** Not planned again: the call did not wait with this question when the answer arrived. */
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
      readonly hooked: Hooked | null;
    };

/** Everything that can reach the kernel. Time arrives here and nowhere else. */
export type Input = { readonly at: number } & (
  | {
      readonly type: 'open';
      readonly workspace: string;
      readonly mode: ApprovalMode | null;
      readonly policyHash: string;
      /** What this process has loaded; null if nothing of its own. */
      readonly setup: SessionSetup | null;
      /** Grants that were revoked while no process owned the session. */
      readonly goneGrants: readonly string[];
      /** Plans made again of calls that are granted and have not started, by call id: what a person would be shown. */
      readonly replanned: ReadonlyMap<string, PlanOutcome>;
    }
  | {
      readonly type: 'call';
      readonly calls: readonly NewCall[];
      readonly start: StartRule;
      readonly attended: boolean;
      /** `join`: the calls are independent of all others, and become part of an open turn of such calls. */
      readonly whenBusy: 'queue' | 'reject' | 'join';
    }
  /** A call of a model's response that is still being received. */
  | {
      readonly type: 'stream.call';
      /** The turn that it belongs to; null for the first, which begins one. */
      readonly turn: number | null;
      readonly call: NewCall;
      readonly start: StartRule;
      readonly attended: boolean;
    }
  /** The model's response is complete: it is stored, and its calls may be asked about and started. */
  | {
      readonly type: 'stream.ended';
      readonly turn: number | null;
      /** Those that came together with its end; the first of them begins a turn if there is none. */
      readonly calls: readonly NewCall[];
      readonly start: StartRule;
      readonly attended: boolean;
      readonly message: ModelMessage | null;
      /** What was planned meanwhile, with what a person would be shown, by call id. */
      readonly planned: ReadonlyMap<string, Planned>;
    }
  /** The response was cut off: none of its calls is carried out. */
  | { readonly type: 'stream.broke'; readonly turn: number; readonly by: string }
  | { readonly type: 'say'; readonly message: UserMessage }
  | {
      readonly type: 'compress';
      readonly summary: string;
      readonly keptFrom: number;
      readonly usage: TokenUsage | null;
    }
  | { readonly type: 'mask'; readonly throughTurn: number }
  | {
      readonly type: 'plan.ended';
      readonly callId: string;
      /** An id may come again in a later turn: a report is about the call of this one. */
      readonly turn: number;
      readonly revision: number;
      readonly outcome: PlanOutcome;
      /** Null where no hook is for this call. */
      readonly hooked: Hooked | null;
    }
  | {
      readonly type: 'answer';
      readonly callId: string;
      readonly digest: string;
      readonly outcome: Outcome;
      readonly payload: AnswerPayload;
      readonly by: string;
      readonly key: string | null;
      /** Hash of the payload; omitted if it is empty. */
      readonly payloadDigest?: string;
      readonly fresh: Fresh;
      /** What the tool agrees to of the grant on offer; null for nothing beyond this call, omitted for all of it. */
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
      /** If the sandbox blocked it: its plan with the blocked access added. */
      readonly widened: PlanOutcome | null;
    }
  /** AfterTool hooks have checked the result of a call. */
  | {
      readonly type: 'hooks.ended';
      readonly callId: string;
      readonly turn: number;
      readonly attempt: number;
      /** What takes the place of the outcome; null leaves it as it is. */
      readonly outcome: ToolOutcome | null;
      readonly followUp: NewCall | null;
      readonly notes: readonly HookNote[];
    }
  /** A running call needs another, and waits for it. */
  | {
      readonly type: 'nested.call';
      readonly within: string;
      readonly asker: string | null;
      readonly turn: number;
      readonly call: NewCall;
    }
  /** The running call that requested it no longer wants it. */
  | { readonly type: 'nested.withdrawn'; readonly callId: string }
  | { readonly type: 'cancel'; readonly target: CancelTarget; readonly by: string }
  | { readonly type: 'set-mode'; readonly mode: ApprovalMode; readonly by: string }
  | { readonly type: 'revoke-grant'; readonly grantId: string; readonly by: string }
  /** Grants that another process revoked. */
  | { readonly type: 'grants-gone'; readonly grantIds: readonly string[] }
);
export type InputOf<T extends Input['type']> = Extract<Input, { type: T }>;

/** What the kernel may look at besides the session. */
export type Circumstances = {
  readonly policy: Policy;
  /** Grants in force, by id, as last read from the store. */
  readonly grants: ReadonlyMap<string, Grant>;
  /** What a command line would run, as far as it was taken apart; null for one that was not. */
  readonly commandsOf: (line: string) => CommandAnalysis | null;
  /** Whether AfterTool hooks want to see the result of a call. */
  readonly hooksListen: (request: CallRequest) => boolean;
  readonly limits: Limits;
};

export type Limits = {
  /** 'stopped': the session is being closed; what runs may end, and nothing else begins. */
  readonly starts: 'allowed' | 'stopped';
  /** Calls executing at once. */
  readonly runningMax: number;
  /** Starts of one call, retries and repeats after a crash included. */
  readonly attemptsMax: number;
  /** How long the attempt after the n-th waits. */
  readonly backoffMs: (attempt: number) => number;
};
