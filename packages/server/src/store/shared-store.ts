import type { Append, Journal } from '@countersign/engine';

/**
 * One store for all sessions of this process. A journal wakes its watchers when another handle has written. Sessions
 * that shared one handle would not be woken when one of them revokes a grant that another uses, so each gets its own.
 */
export class SharedStore {
  readonly #journal: Journal;
  readonly #observers = new Set<(append: Append) => void>();
  readonly #handles = new Set<Handle>();

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** Subscribes to everything that sessions of this process write, right after it is written. */
  observe(observer: (append: Append) => void): void {
    this.#observers.add(observer);
  }

  /** For one session. It is given back with `close`. */
  handle(): Journal {
    const journal = this.#journal;
    const handle: Handle = { wakes: new Set() };
    this.#handles.add(handle);
    return {
      place: journal.place,
      append: async (append) => {
        const appended = await journal.append(append);
        if (!appended.ok) return appended;
        for (const observer of this.#observers) observer(append);
        if (concernsOthers(append)) this.#wakeAllBut(handle);
        return appended;
      },
      post: async (sessionId, command) => {
        const inboxId = await journal.post(sessionId, command);
        this.#wakeAllBut(handle);
        return inboxId;
      },
      watch: (wake, of) => {
        const stop = journal.watch(wake, of);
        handle.wakes.add(wake);
        return () => {
          handle.wakes.delete(wake);
          stop();
        };
      },
      close: async () => {
        this.#handles.delete(handle);
      },
      read: (sessionId, fromSeq, eventsMax, charsMax) =>
        journal.read(sessionId, fromSeq, eventsMax, charsMax),
      list: () => journal.list(),
      session: (sessionId) => journal.session(sessionId),
      own: (sessionId, frontEnd, serverId, session) => journal.own(sessionId, frontEnd, serverId, session),
      noteModel: async (sessionId, token, isAtWork) => journal.noteModel?.(sessionId, token, isAtWork),
      release: (sessionId, token) => journal.release(sessionId, token),
      delete: (sessionId, deletion) => journal.delete(sessionId, deletion),
      deletions: () => journal.deletions(),
      revokeGrant: async (fact) => {
        const revoked = await journal.revokeGrant(fact);
        this.#wakeAllBut(handle);
        return revoked;
      },
      inbox: (sessionId) => journal.inbox(sessionId),
      outcomeOf: (inboxId) => journal.outcomeOf(inboxId),
      withdraw: (inboxId) => journal.withdraw(inboxId),
      approvals: (of) => journal.approvals(of),
      answerOf: (sessionId, callId) => journal.answerOf(sessionId, callId),
      calls: (sessionId) => journal.calls(sessionId),
      messages: (sessionIds) => journal.messages(sessionIds),
      grants: (keys) => journal.grants(keys),
      revoked: (grantIds) => journal.revoked(grantIds),
    };
  }

  /** Not at once: the writer continues first. */
  #wakeAllBut(writer: Handle): void {
    setImmediate(() => {
      for (const handle of this.#handles) if (handle !== writer) for (const wake of handle.wakes) wake();
    });
  }
}

type Handle = { readonly wakes: Set<() => void> };

/** Only grants concern other sessions: when they are created, revoked or used. */
const concernsOthers = ({ views, claims }: Append): boolean =>
  claims.length > 0 || views.some(({ type }) => type === 'grant.added' || type === 'grant.revoked');
