import type {
  AnsweredRow,
  ApprovalMode,
  ApprovalRow,
  CallRow,
  Grant,
  TokenUsage,
} from '@countersign/protocol';
import type { LastOwner, Owner } from './ownership.js';

export type { AnsweredRow, ApprovalRow, CallRow } from '@countersign/protocol';

/** Whose questions are meant. */
export type ApprovalsOf = { readonly sessionId: string; readonly callId?: string };
/** What was said to a model or by it, without most of the words: for lists and statistics. */
export type MessageRow = {
  readonly sessionId: string;
  readonly at: number;
  /** 'summary': a model summed up what was long ago. */
  readonly role: 'user' | 'model' | 'summary';
  /** The first words of what a person said, else null. */
  readonly words: string | null;
  /** Null where it was not written down: a summary is by the model that answered before it. */
  readonly model: string | null;
  readonly usage: TokenUsage | null;
  /** It was copied from another session, where its tokens are counted. Omitted: it was not. */
  readonly isCopied?: true;
};

/** Characters of a prompt that a list of messages gives: as many as it has room for, and a few more. */
export const MESSAGE_WORDS_MAX = 200;

export type ViewChange =
  | { readonly type: 'approval.asked'; readonly row: ApprovalRow }
  | { readonly type: 'approval.answered'; readonly callId: string; readonly answer: AnsweredRow }
  /** No longer waiting, without an answer: cancelled, denied or failed meanwhile. */
  | { readonly type: 'approval.withdrawn'; readonly callId: string }
  | { readonly type: 'call.settled'; readonly row: CallRow }
  | { readonly type: 'grant.added'; readonly grant: Grant }
  | { readonly type: 'grant.revoked'; readonly grantId: string };

export type SessionInfo = {
  readonly sessionId: string;
  readonly workspace: string;
  readonly mode: ApprovalMode;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly seq: number;
  /** The process that works on it; null if there is none, or it has ended. */
  readonly owner: Owner | null;
  /** Set while it has no owner; null where no earlier owner is recorded. Omitted by stores that do not record it. */
  readonly lastOwner?: LastOwner | null;
  /** A model is at work for the owner. Omitted: none is, or the store does not record it. */
  readonly modelAtWork?: true;
  /** Turns that have not ended. Omitted where the store did not count them. */
  readonly openTurns?: number;
  /** What is damaged in the entry of the session, whose other fields are then what could be read. Omitted: nothing. */
  readonly damaged?: string;
};

/** Whether its owner is doing something, and does not only have it open. Turns that were not counted may be open. */
export const isAtWork = ({ owner, modelAtWork, openTurns = 1 }: SessionInfo): boolean =>
  owner !== null && (modelAtWork === true || openTurns > 0);

/** A grant applies to a session by the session itself, its workspace, or its user. */
export type GrantKeys = { readonly sessionId: string; readonly workspace: string };

export const appliesTo = ({ scope, scopeKey }: Grant, { sessionId, workspace }: GrantKeys): boolean =>
  ({ session: scopeKey === sessionId, project: scopeKey === workspace, user: true })[scope];

/** Lists and statistics, derived from facts and written with them. */
export interface JournalViews {
  /** Every session, the last one used first: for lists, and not checked against the facts. */
  list(): Promise<readonly SessionInfo[]>;
  /** One session, or null if there is none of that id. */
  session(sessionId: string): Promise<SessionInfo | null>;
  /**
   * All questions that wait, over all sessions, oldest first; or those of one session, or of one call. What is shown of a
   * question is what the facts say: a person agrees to what they see.
   */
  approvals(of?: ApprovalsOf): Promise<readonly ApprovalRow[]>;
  /** The recorded answer to a question that no longer waits. */
  answerOf(sessionId: string, callId: string): Promise<AnsweredRow | null>;
  /** For statistics, and not checked against the facts; those of one session, or all. */
  calls(sessionId?: string): Promise<readonly CallRow[]>;
  /** What was said in these sessions, or in all; in order within each. */
  messages(sessionIds: readonly string[] | 'all'): Promise<readonly MessageRow[]>;
  /** Grants in force for these keys, or all: neither revoked nor used up (expiry is the caller's to judge, by its own clock). A fact has made each of them. */
  grants(keys: GrantKeys | 'all'): Promise<readonly Grant[]>;
  /** Which of these grants were revoked (a grant that is only used up was not). */
  revoked(grantIds: readonly string[]): Promise<readonly string[]>;
}
