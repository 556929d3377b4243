import type { Ack, CommandIdentity } from './accepted-command.js';
import type {
  Answer,
  CallRequest,
  CancelReason,
  Partial,
  Permit,
  Question,
  ToolOutcome,
  ToolResult,
} from './call.js';
import type { Failure } from './failures/failure.js';
import type { HookAdvice, HookNote } from './hook.js';
import type { JsonObject } from './json/json.js';
import type { Message, TokenUsage } from './message.js';
import type { Plan } from './plan.js';
import type { Grant } from './policy/grant.js';
import type { ApprovalMode, Verdict } from './policy/policy.js';
import type { SessionSetup } from './reach/setup.js';

export type StartRule = 'as_granted' | 'together';

/**
 * A fact that is stored. Facts are the only thing that changes state and are
 * kept forever: kinds are few, and change is additive.
 */
export type Event =
  | {
      readonly type: 'session.opened';
      readonly epoch: number;
      readonly at: number;
      readonly workspace: string;
      readonly mode: ApprovalMode;
      /** What it was opened with, which every later process must have; omitted by openers that load nothing of their own. */
      readonly setup?: SessionSetup;
    }
  | { readonly type: 'policy.loaded'; readonly hash: string; readonly at: number }
  | { readonly type: 'mode.changed'; readonly mode: ApprovalMode; readonly by: string; readonly at: number }
  | {
      readonly type: 'turn.started';
      readonly turn: number;
      readonly at: number;
      readonly start: StartRule;
      /** Whether a user can be asked; with 'nobody', what would ask is denied. */
      readonly attended: 'somebody' | 'nobody';
      /** Independent calls that arrive while it is open join it, as those of an MCP client; omitted for all other turns. */
      readonly shared?: true;
    }
  /** Every call of the turn is known: from here on calls may be asked about and started. */
  | { readonly type: 'turn.sealed'; readonly turn: number }
  | { readonly type: 'turn.ended'; readonly turn: number; readonly at: number }
  | { readonly type: 'call.requested'; readonly request: CallRequest }
  | {
      readonly type: 'call.planned';
      readonly callId: string;
      readonly plan: Plan;
      readonly verdict: Verdict;
      /** The advice of BeforeTool hooks; omitted where they give none. */
      readonly advice?: HookAdvice;
    }
  /** Hooks ran for the call, before it or after it. */
  | {
      readonly type: 'call.hooked';
      readonly callId: string;
      readonly when: 'before' | 'after';
      readonly notes: readonly HookNote[];
      readonly at: number;
    }
  | { readonly type: 'call.asked'; readonly callId: string; readonly question: Question }
  | { readonly type: 'call.answered'; readonly callId: string; readonly answer: Answer }
  | {
      readonly type: 'call.rewritten';
      readonly callId: string;
      readonly revision: number;
      readonly args: JsonObject;
      readonly argsHash: string;
      /** Who did: a person, or `hook NAME`. */
      readonly by: string;
    }
  | { readonly type: 'call.granted'; readonly callId: string; readonly permit: Permit }
  | {
      readonly type: 'call.started';
      readonly callId: string;
      readonly attempt: number;
      readonly epoch: number;
      readonly at: number;
    }
  | {
      readonly type: 'call.retried';
      readonly callId: string;
      readonly attempt: number;
      readonly epoch: number;
      readonly delayMs: number;
      readonly because: Failure;
      readonly at: number;
    }
  | {
      readonly type: 'call.aborting';
      readonly callId: string;
      readonly reason: CancelReason;
      readonly at: number;
    }
  /** The tool has finished, and AfterTool hooks are about to check its result. */
  | {
      readonly type: 'call.finished';
      readonly callId: string;
      readonly outcome: ToolOutcome;
      readonly at: number;
    }
  /** The sandbox blocked it: a person is asked whether it may run again with that access. */
  | {
      readonly type: 'call.blocked';
      readonly callId: string;
      readonly attempt: number;
      readonly because: Failure;
      readonly partial: Partial | null;
      readonly plan: Plan;
      readonly verdict: Verdict;
      readonly question: Question;
      readonly at: number;
    }
  | {
      readonly type: 'call.succeeded';
      readonly callId: string;
      readonly result: ToolResult;
      readonly at: number;
    }
  | {
      readonly type: 'call.failed';
      readonly callId: string;
      readonly failure: Failure;
      readonly partial: Partial | null;
      readonly at: number;
    }
  | {
      readonly type: 'call.cancelled';
      readonly callId: string;
      readonly reason: CancelReason;
      readonly partial: Partial | null;
      readonly at: number;
    }
  | {
      readonly type: 'message.added';
      readonly message: Message;
      /** The session that it was copied from, where its tokens are counted. Omitted: it was added here, or copied by an older release. */
      readonly forkedFrom?: string;
    }
  /** To the model, all messages before `keptFrom` are this summary from now on; they stay in the journal. An empty one: the model gets nothing of them. */
  | {
      readonly type: 'history.compressed';
      readonly summary: string;
      readonly keptFrom: number;
      readonly usage: TokenUsage | null;
      readonly at: number;
      /** As in `message.added`. */
      readonly forkedFrom?: string;
    }
  /** To the model, the results of calls up to this turn are references from now on. */
  | { readonly type: 'history.masked'; readonly throughTurn: number; readonly at: number }
  /** A command that its sender may send again took effect. Written with the events that it led to. */
  | ({
      readonly type: 'command.accepted';
      readonly reply: Ack;
      readonly at: number;
    } & CommandIdentity)
  /** The last event about a session: its own events are removed, and the store keeps this one. */
  | {
      readonly type: 'session.deleted';
      readonly sessionId: string;
      readonly workspace: string;
      readonly by: string;
      readonly at: number;
      /** The idempotency key of the command; null if it had none. */
      readonly key: string | null;
    }
  | { readonly type: 'grant.added'; readonly grant: Grant; readonly callId: string }
  | { readonly type: 'grant.revoked'; readonly grantId: string; readonly by: string; readonly at: number };

export type EventType = Event['type'];
export type EventOf<T extends EventType> = Extract<Event, { type: T }>;
