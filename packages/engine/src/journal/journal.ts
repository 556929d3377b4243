import type {
  Ack,
  AnsweredRow,
  ApprovalMode,
  ApprovalRow,
  CallRow,
  Command,
  Event,
  FailureOf,
  Grant,
  TokenUsage,
} from '@countersign/protocol';

export type { AnsweredRow, ApprovalRow, CallRow } from '@countersign/protocol';

/**
 * Why an append was not made. Nothing of it is visible then; if the store could
 * not even be asked, `journal_unavailable` says so in its detail.
 */
export type AppendFailure = FailureOf<
  | 'another_writer'
  | 'owner_lost'
  | 'claim_lost'
  | 'command_withdrawn'
  | 'journal_full'
  | 'journal_read_only'
  | 'journal_locked'
  | 'journal_corrupt'
  | 'journal_unavailable'
>;
export type Appended =
  | { readonly ok: true; readonly seq: number }
  | { readonly ok: false; readonly failure: AppendFailure };

export type Append = {
  readonly sessionId: string;
  /** How many events the writer believes the session has. Anything else means another writer. */
  readonly expectedSeq: number;
  /** What `own` gave out: an append by a process that lost the session fails. */
  readonly token: number;
  readonly events: readonly Event[];
  /** Rows derived from these events, written in the same transaction. */
  readonly views: readonly ViewChange[];
  /** Ids of limited grants of which one use each is taken; an id may occur several times. */
  readonly claims: readonly string[];
  /** Commands from other processes that these events answer. One that was withdrawn meanwhile fails the append. */
  readonly consumed: readonly { readonly inboxId: number; readonly ack: Ack }[];
  /** 'full': on disk before this returns, even if the power fails. 'normal': safe against kill -9. */
  readonly sync: 'full' | 'normal';
};

/**
 * An event with its number in the session, counted from 0. A journal may drop
 * the events of ended turns, which leaves gaps; facts about the session itself
 * (opened, policy, mode, grants) and the frame of the latest turn are always there,
 * so that a fold of what is left gives the same state.
 */
export type Recorded = { readonly seq: number; readonly event: Event };

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
};

export type ViewChange =
  | { readonly type: 'approval.asked'; readonly row: ApprovalRow }
  | { readonly type: 'approval.answered'; readonly callId: string; readonly answer: AnsweredRow }
  /** No longer waiting, and nobody answered: cancelled, denied or failed meanwhile. */
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
  /** The live process that works on it, if any. */
  readonly ownerPid: number | null;
};

export type Owned =
  | { readonly ok: true; readonly token: number }
  | {
      readonly ok: false;
      readonly failure: FailureOf<
        | 'session_owned'
        | 'journal_locked'
        | 'journal_read_only'
        | 'journal_full'
        | 'journal_unavailable'
        | 'journal_corrupt'
      >;
    };

export type Deleted =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly failure: Extract<Owned, { ok: false }>['failure'] | FailureOf<'unknown_session'>;
    };

export type InboxItem = { readonly inboxId: number; readonly command: Command };

/** Where grants of a session come from: itself, its workspace, its user. */
export type GrantKeys = { readonly sessionId: string; readonly workspace: string };

/**
 * Where the events of sessions are stored. The adapters (memory, SQLite) pass one contract test.
 *
 * Reads that find damage throw a `JournalError`; appends return their failure, since the caller must decide again.
 *
 * @example
 * ```ts
 * const journal: Journal = await sqlite('/home/me/.my-agent/journal.db');
 * await new Scheduler({ toolRegistry: registry, journal, sessionId: 'monday' }).resume();
 * ```
 */
export interface Journal {
  /** How to name this journal in a message. */
  readonly place: string;

  append(append: Append): Promise<Appended>;
  /**
   * Events from `fromSeq` (0 = the first) on, oldest first; of many the first `eventsMax`. With `charsMax` a journal on
   * disk stops after the append with which it has read that many characters. Numbers may have gaps, see `Recorded`.
   * Throws unknown_session.
   */
  read(
    sessionId: string,
    fromSeq: number,
    eventsMax?: number,
    charsMax?: number,
  ): Promise<readonly Recorded[]>;
  /** Every session, the last one used first: for lists, and not checked against the facts. */
  list(): Promise<readonly SessionInfo[]>;
  /** One session, or null if there is none of that id. */
  session(sessionId: string): Promise<SessionInfo | null>;

  /** Take a session: succeeds if it is new, free, or its owner is dead. Makes it if it is new. */
  own(sessionId: string): Promise<Owned>;
  /** Give a session back; does nothing if it is no longer ours. `close` gives all back. */
  release(sessionId: string, token: number): Promise<void>;

  /**
   * Remove a session for good: its facts, all that was derived from them, and grants that were for it alone. What was
   * granted beyond it stays. Refused while a living process works on it.
   */
  delete(sessionId: string): Promise<Deleted>;

  /**
   * Leave a command for the owner of a session. It counts only while the process that left it runs: nothing comes of what
   * nobody would be told about. Throws unknown_session.
   */
  post(sessionId: string, command: Command): Promise<number>;
  /** Commands left and not yet consumed, oldest first. */
  inbox(sessionId: string): Promise<readonly InboxItem[]>;
  /** What a posted command came to; null while it has not been consumed. */
  outcomeOf(inboxId: number): Promise<Ack | null>;
  /** Take a posted command back. False if it was consumed already. */
  withdraw(inboxId: number): Promise<boolean>;

  /**
   * All questions that wait, over all sessions, oldest first; or those of one session, or of one call. What is shown of a
   * question is what the facts say: a person agrees to what they see.
   */
  approvals(of?: ApprovalsOf): Promise<readonly ApprovalRow[]>;
  /** The recorded answer to a question that no longer waits. */
  answerOf(sessionId: string, callId: string): Promise<AnsweredRow | null>;
  /** For statistics, and not checked against the facts. */
  calls(): Promise<readonly CallRow[]>;
  /** What was said in these sessions, or in all; in order within each. */
  messages(sessionIds: readonly string[] | 'all'): Promise<readonly MessageRow[]>;
  /** Grants in force for these keys, or all: neither revoked nor used up (expiry is the caller's to judge, by its own clock). A fact has made each of them. */
  grants(keys: GrantKeys | 'all'): Promise<readonly Grant[]>;

  /** Which of these grants were revoked (a grant that is only used up was not). */
  revoked(grantIds: readonly string[]): Promise<readonly string[]>;

  /**
   * Call `wake` soon after anybody else (another process, another handle) changed anything from now on.
   * Returns how to stop; nothing polls without a watcher.
   */
  watch(wake: () => void): () => void;

  close(): Promise<void>;
}

/** A journal that can not be opened or read. */
export class JournalError extends Error {
  constructor(
    readonly failure: FailureOf<
      | 'journal_full'
      | 'journal_read_only'
      | 'journal_locked'
      | 'journal_corrupt'
      | 'journal_newer'
      | 'journal_foreign'
      | 'journal_unavailable'
      | 'unknown_session'
    >,
  ) {
    super(failure.code);
    this.name = 'JournalError';
  }
}
