import type {
  Answer,
  ApprovalMode,
  FailureCode,
  Grant,
  GrantPattern,
  Outcome,
  Plan,
  StartRule,
  Status,
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
  /** As it is now: a person may have replaced it. */
  readonly target: string;
  readonly turn: number;
  readonly index: number;
  readonly after: Plan['after'];
  readonly status: Status;
  /** The latest plan told. */
  readonly plan: Plan | null;
  readonly plans: number;
  /** What it touches changed after it had been planned: it lost its place. */
  readonly moved: boolean;
  readonly shown: Shown | null;
  /** A person replaced its arguments, and has not been shown what became of it. */
  readonly unseen: boolean;
  /** The first answer that counted. */
  readonly answer: SeenAnswer | null;
  /** The digest that a person agreed to. */
  readonly agreed: string | null;
  /** What it was permitted to run, and by which grant if by one. */
  readonly licence: { readonly digest: string; readonly grantId: string | null } | null;
  /** How often its tool was started. */
  readonly starts: number;
  /** The attempt whose tool is at work. */
  readonly running: number | null;
  /** In which life of the session it last was started. */
  readonly startedIn: number | null;
  /** Somebody cancelled it. */
  readonly stopped: boolean;
};

export type SeenAnswer = Pick<Answer, 'by' | 'outcome' | 'digest' | 'key' | 'at'> & {
  /** It was written down and came to nothing: policy or the tool stopped the call. */
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
  turns: readonly SeenTurn[];
  readonly calls: Map<string, SeenCall>;
  grants: ReadonlyMap<string, SeenGrant>;

  constructor(seen: Seen) {
    this.epoch = seen.epoch;
    this.mode = seen.mode;
    this.policy = seen.policy;
    this.batches = seen.batches;
    this.turns = seen.turns;
    this.calls = new Map(seen.calls);
    this.grants = seen.grants;
  }

  change(call: SeenCall, change: Partial<SeenCall>): SeenCall {
    const changed = { ...call, ...change };
    this.calls.set(call.callId, changed);
    return changed;
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
    const { epoch, mode, policy, batches, turns, calls, grants } = this;
    return { epoch, mode, policy, batches, turns, calls, grants };
  }
}
