import {
  type AnsweredRow,
  type Append,
  type Appended,
  type ApprovalRow,
  type ApprovalsOf,
  type CallRow,
  type Deleted,
  type Deletion,
  type FrontEnd,
  type GrantKeys,
  type GrantRevoked,
  type InboxItem,
  type Journal,
  JournalError,
  type MessageRow,
  type Owned,
  type Recorded,
  type Revoked,
  type SessionDeleted,
  type SessionInfo,
} from '@countersign/engine';
import type { Ack, Command, FailureOf, Grant } from '@countersign/protocol';
import type { HeldThings } from './held.js';
import type { Random } from './random.js';

type Trouble = FailureOf<'journal_full' | 'journal_unavailable' | 'journal_locked'>;
const TROUBLES: readonly [Trouble, ...Trouble[]] = [
  { code: 'journal_full', path: 'memory' },
  { code: 'journal_unavailable', path: 'memory', detail: 'simulated' },
  { code: 'journal_locked', path: 'memory', waitedMs: 5_000 },
];

/** The state of the disk, shared by all processes. Each counts the operations that will still fail. */
export type Disk = { appendsFailing: number; readsFailing: number; slowness: number };

export const soundDisk = (): Disk => ({ appendsFailing: 0, readsFailing: 0, slowness: 0 });

export type JournalSurroundings = {
  readonly life: number;
  readonly isDead: () => boolean;
  readonly disk: Disk;
  readonly held: HeldThings;
  readonly random: Random;
  readonly active: () => void;
  readonly note: (text: string) => void;
  /** Told of everything the store has taken, and whether it came from the owner. */
  readonly wrote: (append: Append, from: 'owner' | 'former owner') => void;
  readonly refused: (code: string) => void;
  /** What another process does in the last moment before a write. */
  readonly lastMoment: (append: Append) => Promise<void>;
};

/** A real journal as one process reaches it: slow at times, failing at times, gone when the process is. */
export class FailingJournal implements Journal {
  readonly #inner: Journal;
  readonly #around: JournalSurroundings;
  readonly #lost = new AbortController();
  #token = 0;
  #isFormer = false;

  constructor(inner: Journal, around: JournalSurroundings) {
    this.#inner = inner;
    this.#around = around;
  }

  get place(): string {
    return this.#inner.place;
  }

  /** A failure means that nothing was written. Slow ones are written either before or after the wait. */
  async append(append: Append): Promise<Appended> {
    const { disk, random, note, wrote, refused } = this.#around;
    await this.#enter();
    const fails = disk.appendsFailing > 0;
    if (fails) disk.appendsFailing--;
    const write = async (): Promise<Appended> => {
      if (!fails) {
        await this.#around.lastMoment(append);
        const from = this.#isFormer ? 'former owner' : 'owner';
        const appended = await this.#inner.append(append);
        if (appended.ok) wrote(append, from);
        else refused(appended.failure.code);
        return appended;
      }
      const failure = random.pick(TROUBLES);
      note(`append fails: ${failure.code}`);
      return { ok: false, failure };
    };
    if (!random.chance(disk.slowness)) return this.#leave(await write());
    if (random.chance(0.5)) {
      await this.#wait('append', 'append, not yet written');
      return this.#leave(await write());
    }
    const appended = await write();
    await this.#wait('append', 'append, already written');
    return this.#leave(appended);
  }

  async revokeGrant(fact: GrantRevoked): Promise<Revoked> {
    await this.#enter();
    return this.#leave(await this.#inner.revokeGrant(fact));
  }

  async own(
    sessionId: string,
    frontEnd?: FrontEnd,
    serverId?: string,
    expected?: 'new' | 'known',
  ): Promise<Owned> {
    const { disk, random } = this.#around;
    await this.#enter();
    if (disk.readsFailing > 0) {
      disk.readsFailing--;
      return { ok: false, failure: random.pick(TROUBLES) };
    }
    const owned = await this.#inner.own(sessionId, frontEnd, serverId, expected);
    if (!owned.ok) return this.#leave(owned);
    this.#token = owned.token;
    return this.#leave({ ...owned, lost: this.#lost.signal });
  }

  /** Somebody took this process for dead and gave its session away. Every other one learns it from its next append alone. */
  async loseOwnership(sessionId: string): Promise<void> {
    this.#isFormer = true;
    await this.#inner.release(sessionId, this.#token);
    if (this.#token % 2 === 0) this.#lost.abort();
  }

  async release(sessionId: string, token: number): Promise<void> {
    await this.#enter();
    await this.#inner.release(sessionId, token);
  }

  read(
    sessionId: string,
    fromSeq: number,
    eventsMax?: number,
    charsMax?: number,
  ): Promise<readonly Recorded[]> {
    const read = () => this.#inner.read(sessionId, fromSeq, eventsMax, charsMax);
    return this.#look(`read from ${fromSeq}`, read);
  }

  list(): Promise<readonly SessionInfo[]> {
    return this.#look('list', () => this.#inner.list());
  }

  session(sessionId: string): Promise<SessionInfo | null> {
    return this.#look('session', () => this.#inner.session(sessionId));
  }

  delete(sessionId: string, deletion?: Deletion): Promise<Deleted> {
    return this.#look('delete', () => this.#inner.delete(sessionId, deletion));
  }

  deletions(): Promise<readonly SessionDeleted[]> {
    return this.#look('deletions', () => this.#inner.deletions());
  }

  post(sessionId: string, command: Command): Promise<number> {
    return this.#look('post', () => this.#inner.post(sessionId, command));
  }

  inbox(sessionId: string): Promise<readonly InboxItem[]> {
    return this.#look('inbox', () => this.#inner.inbox(sessionId));
  }

  outcomeOf(inboxId: number): Promise<Ack | null> {
    return this.#look('outcomeOf', () => this.#inner.outcomeOf(inboxId));
  }

  withdraw(inboxId: number): Promise<boolean> {
    return this.#look('withdraw', () => this.#inner.withdraw(inboxId));
  }

  approvals(of?: ApprovalsOf): Promise<readonly ApprovalRow[]> {
    return this.#look('approvals', () => this.#inner.approvals(of));
  }

  answerOf(sessionId: string, callId: string): Promise<AnsweredRow | null> {
    return this.#look('answerOf', () => this.#inner.answerOf(sessionId, callId));
  }

  calls(sessionId?: string): Promise<readonly CallRow[]> {
    return this.#look('calls', () => this.#inner.calls(sessionId));
  }

  messages(sessionIds: readonly string[] | 'all'): Promise<readonly MessageRow[]> {
    return this.#look('messages', () => this.#inner.messages(sessionIds));
  }

  grants(keys: GrantKeys | 'all'): Promise<readonly Grant[]> {
    return this.#look('grants', () => this.#inner.grants(keys));
  }

  revoked(grantIds: readonly string[]): Promise<readonly string[]> {
    return this.#look('revoked', () => this.#inner.revoked(grantIds));
  }

  watch(wake: () => void): () => void {
    return this.#inner.watch(() => {
      this.#around.active();
      if (!this.#around.isDead()) wake();
    });
  }

  async close(): Promise<void> {
    await this.#inner.close();
  }

  async #look<T>(label: string, read: () => Promise<T>): Promise<T> {
    const { disk, random, note } = this.#around;
    await this.#enter();
    if (disk.readsFailing > 0) {
      disk.readsFailing--;
      const failure = random.pick(TROUBLES);
      note(`${label} fails: ${failure.code}`);
      throw new JournalError(failure);
    }
    if (!random.chance(disk.slowness)) return this.#leave(await read());
    // What was read is as old as the moment of reading, not of arriving.
    if (random.chance(0.5)) await this.#wait('read', label);
    const found = await read();
    if (random.chance(0.5)) await this.#wait('read', label);
    return this.#leave(found);
  }

  /** A dead process gets nothing done and learns of nothing. */
  #enter(): Promise<void> | void {
    this.#around.active();
    if (this.#around.isDead()) return new Promise(() => {});
  }

  #leave<T>(value: T): T | Promise<T> {
    this.#around.active();
    return this.#around.isDead() ? new Promise<T>(() => {}) : value;
  }

  #wait(what: 'append' | 'read', label: string): Promise<void> {
    const { held, life } = this.#around;
    return new Promise((release) => held.add({ what, label, life, release }));
  }
}
