import type {
  Answer,
  ApprovalMode,
  FailureCode,
  Grant,
  GrantPattern,
  HookAdvice,
  Outcome,
  PermitSource,
  Plan,
  StartRule,
  Status,
  ToolOutcome,
} from '@countersign/protocol';
import type { PolicyName } from './truth.js';
import type { World } from './world.js';

/**
 * What an observer outside the kernel knows: commands and their replies, facts
 * as they are published, and which tools really run. None of it is read from
 * the kernel's own books, so the kernel cannot talk itself right.
 */
export type Seen = {
  readonly epoch: number;
  readonly mode: ApprovalMode;
  readonly policy: PolicyName;
  /** How many batches were handed in. */
  readonly batches: number;
  /** The turn whose model still speaks, and how many of its calls have come. */
  readonly stream: { readonly turn: number; readonly came: number } | null;
  /** Turns that are open, oldest first. */
  readonly turns: readonly SeenTurn[];
  /** The calls of open turns, by id. */
  readonly calls: ReadonlyMap<string, SeenCall>;
  readonly grants: ReadonlyMap<string, SeenGrant>;
};

export type SeenTurn = { readonly turn: number; readonly start: StartRule; readonly attended: boolean };

export type SeenCall = {
  readonly callId: string;
  readonly tool: string;
  /** As it is now: a person or a hook may have replaced it. */
  readonly target: string;
  readonly turn: number;
  readonly index: number;
  /** How many calls that hooks asked for stand between it and one that they did not. */
  readonly depth: number;
  readonly after: Plan['after'];
  readonly status: Status;
  /** The latest plan told. */
  readonly plan: Plan | null;
  readonly plans: number;
  /** What it touches changed after it had been planned: it lost its place. */
  readonly moved: boolean;
  /** What hooks said of it as it is now. */
  readonly advice: HookAdvice['decision'] | null;
  readonly shown: Shown | null;
  /** A person replaced its arguments, and has not been shown what became of it. */
  readonly unseen: boolean;
  /** The first answer that counted. */
  readonly answer: SeenAnswer | null;
  /** The digest that a person agreed to. */
  readonly agreed: string | null;
  /** What it was permitted to run, and by which grant if by one. */
  readonly licence: Licence | null;
  /** How often its tool was started. */
  readonly starts: number;
  /** How often since it last was permitted. */
  readonly startsOnPermit: number;
  /** The sandbox stopped it, so that only a person can have it started again. */
  readonly blocked: boolean;
  /** The result of its tool, while hooks check it. */
  readonly finished: ToolOutcome | null;
  /** The attempt whose tool is at work. */
  readonly running: number | null;
  /** In which life of the session it last was started. */
  readonly startedIn: number | null;
  /** Somebody cancelled it. */
  readonly stopped: boolean;
};

export type Licence = {
  readonly digest: string;
  readonly grantId: string | null;
  readonly by: PermitSource['type'];
  /** In which life of the session it was given. */
  readonly epoch: number;
};

export type SeenAnswer = Pick<Answer, 'by' | 'outcome' | 'digest' | 'key' | 'at'> & {
  /** It was recorded without effect: policy or the tool stopped the call. */
  readonly refusedWith?: FailureCode;
};

/** The question that a person has before them. */
export type Shown = {
  readonly digest: string;
  readonly offers: ReadonlyMap<Outcome, GrantPattern | null>;
  readonly touches: readonly string[];
};

export type SeenGrant = {
  readonly pattern: GrantPattern;
  readonly usesLeft: number | null;
  readonly gone: boolean;
  readonly expiresAt: number | null;
};

export const nothingSeen = ({ mode, grants }: World): Seen => ({
  epoch: 0,
  mode,
  policy: 'usual',
  batches: 0,
  stream: null,
  turns: [],
  calls: new Map(),
  grants: new Map(grants.map((grant) => [grant.id, asSeen(grant)])),
});

export const asSeen = ({ pattern, uses, expiresAt }: Grant): SeenGrant => ({
  pattern,
  usesLeft: uses,
  expiresAt,
  gone: false,
});

export const isOver = ({ status }: Pick<SeenCall, 'status'>): boolean =>
  status === 'success' || status === 'error' || status === 'cancelled';

export const isUndecided = ({ status }: Pick<SeenCall, 'status'>): boolean =>
  status === 'validating' || status === 'awaiting_approval';

/** What is being seen in one step, to be changed until the step is over. */
export class Watching {
  epoch: number;
  mode: ApprovalMode;
  policy: PolicyName;
  batches: number;
  stream: Seen['stream'];
  turns: readonly SeenTurn[];
  readonly calls: Map<string, SeenCall>;
  /** Calls whose turn ended in this step, as they were last. */
  readonly gone = new Map<string, SeenCall>();
  grants: ReadonlyMap<string, SeenGrant>;

  constructor(seen: Seen) {
    this.epoch = seen.epoch;
    this.mode = seen.mode;
    this.policy = seen.policy;
    this.batches = seen.batches;
    this.stream = seen.stream;
    this.turns = seen.turns;
    this.calls = new Map(seen.calls);
    this.grants = seen.grants;
  }

  change(call: SeenCall, change: Partial<SeenCall>): SeenCall {
    const changed = { ...call, ...change };
    this.calls.set(call.callId, changed);
    return changed;
  }

  /** As it was when the step was over, or its turn. */
  latest(callId: string): SeenCall | undefined {
    return this.calls.get(callId) ?? this.gone.get(callId);
  }

  setGrant(id: string, grant: SeenGrant): void {
    this.grants = new Map(this.grants).set(id, grant);
  }

  turnOf(call: SeenCall): SeenTurn | undefined {
    return this.turns.find(({ turn }) => turn === call.turn);
  }

  siblings(call: SeenCall): SeenCall[] {
    return [...this.calls.values()].filter(
      ({ turn, callId }) => turn === call.turn && callId !== call.callId,
    );
  }

  /** As it is from now on. */
  seen(): Seen {
    const { epoch, mode, policy, batches, stream, turns, calls, grants } = this;
    return { epoch, mode, policy, batches, stream, turns, calls, grants };
  }
}
