import type { Ack, Event, EventOf, FailureOf } from '@countersign/protocol';
import type { NotTaken } from './ownership.js';
import type { ViewChange } from './views.js';

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
  /** What `own` gave out: an append by an owner that lost the session fails. */
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

export type SessionDeleted = EventOf<'session.deleted'>;
/** Who deletes a session, and the idempotency key of the command, if it has one. */
export type Deletion = Pick<SessionDeleted, 'by' | 'key'>;
export const UNNAMED_DELETION: Deletion = { by: 'unknown', key: null };

export type Deleted = { readonly ok: true } | { readonly ok: false; readonly failure: NotTaken };

/** What became of a grant that was to be revoked. */
export type Revoked =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly failure: Exclude<NotTaken, { code: 'session_owned' }> | FailureOf<'unknown_grant'>;
    };

export type GrantRevoked = EventOf<'grant.revoked'>;

/** The facts of sessions: written as a whole or not at all, read in order. */
export interface JournalFacts {
  /**
   * Write down facts with all that goes with them (views, claims, consumed commands) if the token is still that of the
   * owner and the session is where the writer believes it is; else write nothing. The order of calls is kept, also if they
   * are not awaited. An adapter may write the appends of several sessions as one: each succeeds or fails separately.
   */
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
  /**
   * Call `wake` soon after another process or another handle changed anything from now on: facts, commands,
   * grants. With `of`, changes of other sessions may be omitted, except to grants. A wake-up says where to look, not what
   * is there, and one for nothing is allowed: an adapter polls where its notifications can get lost.
   * Returns how to stop; nothing polls without a watcher.
   */
  watch(wake: () => void, of?: { readonly sessionId: string }): () => void;
  /**
   * Remove a session permanently: its facts, all that was derived from them, and grants that were for it alone. What was
   * granted beyond it stays, and so does one event of the store that names the session and the person who deleted it.
   * Refused while it has a living owner.
   */
  delete(sessionId: string, deletion?: Deletion): Promise<Deleted>;
  /** Every session that was deleted, oldest first. */
  deletions(): Promise<readonly SessionDeleted[]>;
  /**
   * Revoke a grant whose sessions were all deleted: the fact belongs to the store itself. Where a session that the grant is for
   * is left, its owner writes the fact instead, so that its history has it.
   */
  revokeGrant(fact: GrantRevoked): Promise<Revoked>;
}
