import type { PermitSource, Question, Status } from './call.js';
import type { PolicyDecision, Verdict } from './policy/policy.js';

/** A question that waits for an answer, as the inbox over all sessions shows it. */
export type ApprovalRow = {
  readonly sessionId: string;
  readonly callId: string;
  readonly tool: string;
  readonly title: string;
  readonly question: Question;
  readonly verdict: Verdict;
};
/** The answer that such a question got. */
export type AnsweredRow = {
  readonly digest: string;
  readonly outcome: string;
  readonly by: string;
  readonly at: number;
  readonly key: string | null;
  readonly payloadDigest?: string;
};

/** One completed call, for statistics. */
export type CallRow = {
  readonly sessionId: string;
  readonly callId: string;
  readonly turn: number;
  readonly tool: string;
  readonly status: Status;
  readonly requestedAt: number;
  readonly startedAt: number | null;
  readonly endedAt: number;
  /** Milliseconds a person was waited for. */
  readonly waitedMs: number;
  readonly decidedBy: string | null;
  /** Its kind; omitted where nothing decided, and in rows of older releases. */
  readonly decider?: PermitSource['type'];
  /** The decision of policy, whatever decided in the end; omitted before policy judged, and in rows of older releases. */
  readonly verdict?: PolicyDecision;
  /** The rule behind that decision, as FILE:LINE; omitted where no rule matched. */
  readonly rule?: string;
  readonly failure: string | null;
};
