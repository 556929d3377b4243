import type { FailureOf } from '@countersign/protocol';

/** The kinds of front end that work on sessions; `command`: one that does a single thing and ends. */
export const FRONT_ENDS = [
  'terminal',
  'headless',
  'exec',
  'acp',
  'mcp',
  'server',
  'library',
  'command',
] as const;
export type FrontEnd = (typeof FRONT_ENDS)[number];

/** The process that works on a session. Only the adapter can find out whether it lives. */
export type Owner = {
  /** Differs between any two owners; nothing else can be read from it. */
  readonly id: string;
  /** null: written by a release that did not keep it, or not by a front end. */
  readonly frontEnd: FrontEnd | null;
  /** How failures and JSON output name this owner: passed on as it is. */
  readonly shown: OwnerShown;
};
/** The owner before: which front end it was, and whether it gave the session back or died with it. */
export type LastOwner = {
  readonly frontEnd: FrontEnd | null;
  /** The server that it was, the same across its restarts; null for other front ends. */
  readonly serverId: string | null;
  readonly ended: 'released' | 'died';
  /** Whether it ended while a model was at work for it. */
  readonly modelAtWork: boolean;
};
export type OwnerShown = Pick<FailureOf<'session_owned'>, 'pid'>;

/** Why a session was not taken. */
export type NotTaken = FailureOf<
  | 'session_owned'
  | 'journal_locked'
  | 'journal_read_only'
  | 'journal_full'
  | 'journal_unavailable'
  | 'journal_corrupt'
  | 'unknown_session'
>;

export type Owned =
  | {
      readonly ok: true;
      /** Higher than that of every owner before: appends with an older one are refused. */
      readonly token: number;
      readonly owner: Owner;
      /** Aborted as soon as the adapter finds out that another owner has the session now. */
      readonly lost: AbortSignal;
    }
  | { readonly ok: false; readonly failure: NotTaken };

/**
 * Ownership of sessions: only the owner may write. It stays the owner for as long as its handle is open and the adapter can
 * see that it lives: by its process on this machine, or by a lease that the adapter renews. An owner that was taken for
 * dead is notified by `lost`, or at the latest from its next append.
 */
export interface JournalOwnership {
  /**
   * Take a session: succeeds if it is new, free, or its owner is dead. Makes it if it is new; with 'known' it fails with
   * `unknown_session` instead, so that a session that was deleted meanwhile stays deleted. The front end, and the id of
   * the server if it is one, stay with the session after the owner's end.
   */
  own(sessionId: string, frontEnd?: FrontEnd, serverId?: string, session?: 'new' | 'known'): Promise<Owned>;
  /**
   * Record whether a model is at work for the owner, so that the next owner knows it when this one has died or
   * has given the session back meanwhile. Does nothing if the
   * session is no longer ours. A store without it is one in which no model continues after a restart.
   */
  noteModel?(sessionId: string, token: number, isAtWork: boolean): Promise<void>;
  /** Give a session back; does nothing if it is no longer ours. `close` gives all back. */
  release(sessionId: string, token: number): Promise<void>;
}
