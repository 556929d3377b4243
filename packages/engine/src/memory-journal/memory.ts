import type { Ack, Command, FailureOf, Grant } from '@countersign/protocol';
import {
  type AnsweredRow,
  type Append,
  type Appended,
  type AppendFailure,
  type ApprovalRow,
  type ApprovalsOf,
  appliesTo,
  type CallRow,
  type Deleted,
  type FrontEnd,
  type GrantKeys,
  type GrantRevoked,
  type InboxItem,
  type Journal,
  JournalError,
  type MessageRow,
  type Owned,
  type Owner,
  type Recorded,
  type Revoked,
  type SessionDeleted,
  type SessionInfo,
  UNNAMED_DELETION,
  type ViewChange,
} from '../journal/index.js';
import { MemorySession } from './memory-session.js';

export type MemoryOptions = {
  /** 'open-turns': what is over is forgotten, so that a long-lived process stays small. */
  readonly keep?: 'open-turns' | 'all';
};

/**
 * A journal that ends with this process.
 *
 * @example
 * ```ts
 * const scheduler = new Scheduler({ toolRegistry: registry, journal: memory() });
 * ```
 */
export const memoryJournal = (options: MemoryOptions = {}): Journal => memoryStore(options).open();

/** What several handles share, as several processes share a file. */
export type MemoryStore = { open(): Journal };

export function memoryStore({ keep = 'open-turns' }: MemoryOptions = {}): MemoryStore {
  const shared = new Shared(keep);
  return { open: () => new MemoryJournal(shared) };
}

/** Outcomes of posted commands that are kept for late readers. */
const OUTCOMES_KEPT = 1_000;
/** A journal that ends with its process names only the last sessions that were deleted. */
const DELETIONS_KEPT = 1_000;

type InboxEntry = { readonly sessionId: string; readonly command: Command };
type StoredGrant = { readonly grant: Grant; uses: number | null; revoked: boolean };

class Shared {
  readonly sessions = new Map<string, MemorySession>();
  readonly grants = new Map<string, StoredGrant>();
  readonly inbox = new Map<number, InboxEntry>();
  readonly outcomes = new Map<number, Ack>();
  readonly handles = new Set<MemoryJournal>();
  readonly deletions: SessionDeleted[] = [];
  #lastInboxId = 0;

  constructor(readonly keep: 'open-turns' | 'all') {}

  post(entry: InboxEntry): number {
    this.inbox.set(++this.#lastInboxId, entry);
    return this.#lastInboxId;
  }

  consume(inboxId: number, ack: Ack): void {
    this.inbox.delete(inboxId);
    this.outcomes.set(inboxId, ack);
    const [oldest] = this.outcomes.keys();
    if (oldest !== undefined && this.outcomes.size > OUTCOMES_KEPT) this.outcomes.delete(oldest);
  }

  addDeletion(deletion: SessionDeleted): void {
    this.deletions.push(deletion);
    if (this.deletions.length > DELETIONS_KEPT) this.deletions.shift();
  }

  forgetInbox(sessionId: string): void {
    for (const [inboxId, entry] of this.inbox) if (entry.sessionId === sessionId) this.inbox.delete(inboxId);
  }

  changedBy(writer: MemoryJournal): void {
    for (const handle of this.handles) if (handle !== writer) handle.wake();
  }
}

class MemoryJournal implements Journal {
  readonly place = 'memory';
  readonly #shared: Shared;
  readonly #wakes = new Set<{ readonly wake: () => void }>();
  #closed = false;

  constructor(shared: Shared) {
    this.#shared = shared;
    shared.handles.add(this);
  }

  async append(append: Append): Promise<Appended> {
    if (this.#closed) return { ok: false, failure: CLOSED };
    const { sessionId } = append;
    const session = this.#shared.sessions.get(sessionId);
    if (!session) return { ok: false, failure: { code: 'owner_lost', sessionId } };
    const failure = this.#whyNot(append, session);
    if (failure) return { ok: false, failure };

    for (const change of append.views) if (change.type === 'grant.added') this.#addGrant(change.grant);
    for (const id of append.claims) takeUse(this.#shared.grants.get(id));
    for (const { inboxId, ack } of append.consumed) this.#shared.consume(inboxId, ack);
    session.add(append.events);
    for (const change of append.views) this.#applyView(session, change);
    if (this.#shared.keep === 'open-turns') session.forgetEndedTurns();
    this.#shared.changedBy(this);
    return { ok: true, seq: session.seq };
  }

  /** All that could refuse an append, looked at before anything of it is done. */
  #whyNot(append: Append, session: MemorySession): AppendFailure | null {
    const { sessionId, expectedSeq, token } = append;
    if (!session.held || session.token !== token) return { code: 'owner_lost', sessionId };
    if (session.seq !== expectedSeq)
      return { code: 'another_writer', sessionId, expected: expectedSeq, found: session.seq };

    const grantIds = this.#claimsLost(append);
    if (grantIds.length > 0) return { code: 'claim_lost', grantIds };

    const inboxIds = append.consumed
      .map(({ inboxId }) => inboxId)
      .filter((id) => this.#shared.inbox.get(id)?.sessionId !== sessionId);
    return inboxIds.length > 0 ? { code: 'command_withdrawn', inboxIds } : null;
  }

  #claimsLost({ claims, views }: Append): readonly string[] {
    if (claims.length === 0) return claims;
    const counts = new Map<string, number>();
    for (const id of claims) counts.set(id, (counts.get(id) ?? 0) + 1);
    const left = (id: string): number => {
      const stored = this.#shared.grants.get(id);
      if (stored) return stored.revoked ? 0 : (stored.uses ?? Infinity);
      const added = views.find((change) => change.type === 'grant.added' && change.grant.id === id);
      return added?.type === 'grant.added' ? (added.grant.uses ?? Infinity) : 0;
    };
    return [...counts].filter(([id, count]) => count > left(id)).map(([id]) => id);
  }

  #addGrant(grant: Grant): void {
    // Never a second time: that would bring back uses, or a grant that was revoked.
    if (!this.#shared.grants.has(grant.id))
      this.#shared.grants.set(grant.id, { grant, uses: grant.uses, revoked: false });
  }

  #applyView(session: MemorySession, change: ViewChange): void {
    switch (change.type) {
      case 'approval.asked':
        return session.ask(change.row);
      case 'approval.answered':
        return session.answer(change.callId, change.answer);
      case 'approval.withdrawn':
        return session.withdraw(change.callId);
      case 'call.settled':
        return session.settle(change.row);
      case 'grant.added':
        return;
      case 'grant.revoked': {
        const stored = this.#shared.grants.get(change.grantId);
        if (stored) stored.revoked = true;
      }
    }
  }

  async read(sessionId: string, fromSeq: number, eventsMax?: number): Promise<readonly Recorded[]> {
    return this.#session(sessionId).read(fromSeq).slice(0, eventsMax);
  }

  async list(): Promise<readonly SessionInfo[]> {
    this.#requireOpen();
    return [...this.#shared.sessions.values()]
      .reverse()
      .map((session) => session.info())
      .sort((a, b) => b.updatedAt - a.updatedAt);
  }

  async session(sessionId: string): Promise<SessionInfo | null> {
    this.#requireOpen();
    return this.#shared.sessions.get(sessionId)?.info() ?? null;
  }

  async own(
    sessionId: string,
    frontEnd: FrontEnd | null = null,
    serverId: string | null = null,
    expected: 'new' | 'known' = 'new',
  ): Promise<Owned> {
    if (this.#closed) return { ok: false, failure: CLOSED };
    if (expected === 'known' && !this.#shared.sessions.has(sessionId))
      return { ok: false, failure: { code: 'unknown_session', sessionId } };
    const session = this.#shared.sessions.get(sessionId) ?? new MemorySession(sessionId);
    this.#shared.sessions.set(sessionId, session);
    if (session.held) return { ok: false, failure: ownedBy(session.held.owner, sessionId) };
    const token = ++session.token;
    const owner = { id: `${sessionId} ${token}`, frontEnd, shown: { pid: process.pid } };
    session.held = { by: this, owner };
    // A handle in this process is not taken for dead: it gives back what it has.
    session.lastOwner = frontEnd && { frontEnd, serverId, ended: 'released', modelAtWork: false };
    this.#shared.changedBy(this);
    // Never aborted: a handle in this process is not taken for dead.
    return { ok: true, token, owner, lost: new AbortController().signal };
  }

  async release(sessionId: string, token: number): Promise<void> {
    const session = this.#shared.sessions.get(sessionId);
    if (session?.held?.by !== this || session.token !== token) return;
    session.held = null;
    this.#shared.changedBy(this);
  }

  async delete(sessionId: string, deletion = UNNAMED_DELETION): Promise<Deleted> {
    if (this.#closed) return { ok: false, failure: CLOSED };
    const { sessions, grants } = this.#shared;
    const session = sessions.get(sessionId);
    if (!session) return { ok: false, failure: { code: 'unknown_session', sessionId } };
    if (session.held) return { ok: false, failure: ownedBy(session.held.owner, sessionId) };
    const { workspace } = session.info();
    sessions.delete(sessionId);
    this.#shared.addDeletion({
      type: 'session.deleted',
      ...{ sessionId, workspace, ...deletion },
      at: Date.now(),
    });
    for (const [id, { grant }] of grants)
      if (grant.scope === 'session' && grant.scopeKey === sessionId) grants.delete(id);
    this.#shared.forgetInbox(sessionId);
    this.#shared.changedBy(this);
    return { ok: true };
  }

  async deletions(): Promise<readonly SessionDeleted[]> {
    this.#requireOpen();
    return this.#shared.deletions;
  }

  async revokeGrant({ grantId }: GrantRevoked): Promise<Revoked> {
    if (this.#closed) return { ok: false, failure: CLOSED };
    const stored = this.#shared.grants.get(grantId);
    if (!stored) return { ok: false, failure: { code: 'unknown_grant', grantId } };
    stored.revoked = true;
    this.#shared.changedBy(this);
    return { ok: true };
  }

  async post(sessionId: string, command: Command): Promise<number> {
    this.#session(sessionId);
    const inboxId = this.#shared.post({ sessionId, command });
    this.#shared.changedBy(this);
    return inboxId;
  }

  async inbox(sessionId: string): Promise<readonly InboxItem[]> {
    this.#requireOpen();
    return Array.from(this.#shared.inbox)
      .filter(([, entry]) => entry.sessionId === sessionId)
      .map(([inboxId, { command }]) => ({ inboxId, command }));
  }

  async outcomeOf(inboxId: number): Promise<Ack | null> {
    this.#requireOpen();
    return this.#shared.outcomes.get(inboxId) ?? null;
  }

  async withdraw(inboxId: number): Promise<boolean> {
    this.#requireOpen();
    const withdrawn = this.#shared.inbox.delete(inboxId);
    if (withdrawn) this.#shared.changedBy(this);
    return withdrawn;
  }

  async approvals(of?: ApprovalsOf): Promise<readonly ApprovalRow[]> {
    this.#requireOpen();
    return Array.from(this.#shared.sessions)
      .filter(([id]) => !of || of.sessionId === id)
      .flatMap(([, session]) => session.waiting())
      .filter(({ row }) => of?.callId === undefined || of.callId === row.callId)
      .sort((a, b) => a.place - b.place)
      .map(({ row }) => row);
  }

  async answerOf(sessionId: string, callId: string): Promise<AnsweredRow | null> {
    this.#requireOpen();
    return this.#shared.sessions.get(sessionId)?.answerOf(callId) ?? null;
  }

  async calls(sessionId?: string): Promise<readonly CallRow[]> {
    this.#requireOpen();
    const all = [...this.#shared.sessions.values()].flatMap((session) => session.calls);
    return sessionId === undefined ? all : all.filter((row) => row.sessionId === sessionId);
  }

  async messages(sessionIds: readonly string[] | 'all'): Promise<readonly MessageRow[]> {
    this.#requireOpen();
    const wanted = sessionIds === 'all' ? null : new Set(sessionIds);
    return Array.from(this.#shared.sessions)
      .filter(([id]) => wanted === null || wanted.has(id))
      .flatMap(([, session]) => session.messages());
  }

  async grants(keys: GrantKeys | 'all'): Promise<readonly Grant[]> {
    this.#requireOpen();
    return [...this.#shared.grants.values()]
      .filter(({ uses, revoked }) => !revoked && uses !== 0)
      .filter(({ grant }) => keys === 'all' || appliesTo(grant, keys))
      .map(({ grant, uses }) => ({ ...grant, uses }));
  }

  async revoked(grantIds: readonly string[]): Promise<readonly string[]> {
    this.#requireOpen();
    return [...new Set(grantIds)].filter((id) => this.#shared.grants.get(id)?.revoked);
  }

  watch(wake: () => void): () => void {
    this.#requireOpen();
    const entry = { wake };
    this.#wakes.add(entry);
    return () => this.#wakes.delete(entry);
  }

  /** Not at once: a writer is not interrupted by the watchers. */
  wake(): void {
    for (const entry of this.#wakes) {
      setImmediate(() => {
        if (this.#wakes.has(entry)) entry.wake();
      });
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#wakes.clear();
    this.#shared.handles.delete(this);
    for (const session of this.#shared.sessions.values()) if (session.held?.by === this) session.held = null;
    this.#shared.changedBy(this);
  }

  #session(sessionId: string): MemorySession {
    this.#requireOpen();
    const session = this.#shared.sessions.get(sessionId);
    if (!session) throw new JournalError({ code: 'unknown_session', sessionId });
    return session;
  }

  #requireOpen(): void {
    if (this.#closed) throw new JournalError(CLOSED);
  }
}

const ownedBy = ({ shown }: Owner, sessionId: string): FailureOf<'session_owned'> => ({
  code: 'session_owned',
  sessionId,
  ...shown,
});

const CLOSED = { code: 'journal_unavailable', path: 'memory', detail: 'it was closed' } as const;

function takeUse(stored: StoredGrant | undefined): void {
  if (stored && stored.uses !== null) stored.uses--;
}
