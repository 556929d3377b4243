import { type Circumstances, emptySession, evolve } from '@countersign/kernel';
import type { Failure } from '@countersign/protocol';
import { type AppendFailure, JournalError, readPages } from '../journal/index.js';
import type { GrantBook } from '../notes/grant-book.js';
import type { JournalTroubles } from '../notes/journal-troubles.js';
import type { Notes } from '../notes/notes.js';
import type { Lifetime } from './lifetime.js';
import { decideAll, type Mail, type Work } from './mail.js';
import type { OpenOptions } from './open-options.js';
import type { OtherProcesses } from './other-processes.js';
import type { SessionState } from './session-state.js';

/** A grant whose last uses are fought over more often than this is not worth another round. */
const CLAIM_ROUNDS_MAX = 5;

export type WriterOptions = Pick<OpenOptions, 'journal' | 'sessionId' | 'workspace' | 'watcher'> & {
  readonly troubles: JournalTroubles;
  readonly state: SessionState;
  readonly token: number;
  readonly lifetime: Lifetime;
  readonly circumstances: Circumstances;
  readonly grants: GrantBook;
  readonly notes: Notes;
  readonly others: OtherProcesses;
  /** It is written: now effects may start, and subscribers may be notified. */
  readonly act: (work: Work) => void;
  /** The state is another one, read from the journal: what runs is to be made equal to it. */
  readonly actAnew: () => void;
  /** What happened and could not be written, to be taken out of the mailbox again. */
  readonly putBack: (mail: readonly Mail[]) => void;
};

/**
 * The one hand that writes the facts of a session and changes its state: decide,
 * write down, and only then act. What could not be written is undone
 * by reading the journal, and is then decided again or refused.
 */
export class Writer {
  readonly #options: WriterOptions;
  readonly #state: SessionState;
  /** Which life of the session this is; 0 until it is written down that this process has taken it up. */
  #epoch = 0;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#state = options.state;
  }

  /** It is written that this process has taken the session up: what runs from now on, runs here. */
  takenUp(): void {
    this.#epoch = this.#state.session.epoch;
  }

  /** One drain of the mailbox. */
  async take(batch: readonly Mail[]): Promise<void> {
    const { others } = this.#options;
    try {
      const gone = others.grantsAreStale ? await others.refreshGrants(this.#state.openCalls()) : null;
      await this.#commit(gone ? [gone, ...batch] : batch);
    } catch (thrown) {
      if (!(thrown instanceof JournalError)) throw thrown;
      await this.#putOff(batch, thrown.failure);
    }
  }

  async #commit(batch: readonly Mail[], round = 1): Promise<void> {
    const { journal, sessionId, token, lifetime, circumstances, watcher, notes, troubles } = this.#options;
    const work = decideAll(batch, {
      session: this.#state.session,
      circumstances,
      seq: this.#state.seq,
      watched: watcher?.onFacts ? 'yes' : 'no',
      observe: (event, session) => notes.decided(event, session),
    });
    if (work.events.length === 0 && work.consumed.length === 0) return this.#confirm(batch, work);
    const appended = await journal.append({
      sessionId,
      expectedSeq: this.#state.seq,
      token,
      events: work.events,
      views: work.views,
      claims: this.#state.session.claims,
      consumed: work.consumed,
      sync: work.sync,
    });
    if (lifetime.ended) return;
    if (appended.ok) {
      troubles.works();
      return this.#confirm(batch, work);
    }
    await this.#recover(batch, appended.failure, round);
  }

  /** Senders get their reply first, so that a turn has a waiting caller before anything of it can be over. */
  #confirm(batch: readonly Mail[], work: Work): void {
    const { grants, others, act } = this.#options;
    this.#state.seq += work.events.length;
    grants.settle(this.#state.session, work.events);
    others.forget(work.consumed.map(({ inboxId }) => inboxId));
    batch.forEach(({ reply, onTurn }, index) => {
      const ack = work.acks[index];
      if (!ack) return;
      if (ack.ok && ack.turn !== undefined) onTurn?.(ack.turn, ack.callIds ?? []);
      reply?.(ack);
    });
    act(work);
  }

  /** Nothing was written, so nothing may act on it: go back to what the journal says, and decide again. */
  async #recover(batch: readonly Mail[], failure: AppendFailure, round: number): Promise<void> {
    const { lifetime, others } = this.#options;
    if (failure.code === 'another_writer' || failure.code === 'owner_lost') {
      for (const { reply } of batch) reply?.({ ok: false, failure });
      return lifetime.end(failure);
    }
    if (failure.code === 'claim_lost' && round <= CLAIM_ROUNDS_MAX) {
      await this.reload();
      const gone = await others.refreshGrants(this.#state.openCalls());
      if (lifetime.ended) return;
      return this.#commit(gone ? [gone, ...batch] : batch, round + 1);
    }
    if (failure.code === 'command_withdrawn') {
      // Its sender has withdrawn it meanwhile; the rest of the batch is decided without it.
      await this.reload();
      const isGone = ({ inboxId }: Mail) => inboxId !== null && failure.inboxIds.includes(inboxId);
      for (const { reply } of batch.filter(isGone)) reply?.({ ok: false, failure });
      if (lifetime.ended) return;
      return this.#commit(
        batch.filter((mail) => !isGone(mail)),
        round,
      );
    }
    await this.#putOff(batch, failure);
  }

  /** The journal does not work. Senders of commands get the failure; reports are kept until they can be written. */
  async #putOff(batch: readonly Mail[], failure: Failure): Promise<void> {
    const { troubles, lifetime, others, putBack } = this.#options;
    troubles.failed(failure);
    const reports = batch.filter(({ reply, inboxId }) => reply === null && inboxId === null);
    const left = batch.flatMap(({ inboxId }) => inboxId ?? []);
    for (const { reply } of batch) reply?.({ ok: false, failure });
    await this.#reloadWhenPossible();
    putBack(reports);
    if (reports.length > 0 || left.length > 0 || others.grantsAreStale) await lifetime.pauseBeforeRetry();
    if (left.length > 0) others.takeAgain(left);
  }

  async #reloadWhenPossible(): Promise<void> {
    const { lifetime, troubles } = this.#options;
    while (!lifetime.ended) {
      try {
        return await this.reload();
      } catch (thrown) {
        if (!(thrown instanceof JournalError)) throw thrown;
        troubles.failed(thrown.failure);
        await lifetime.pauseBeforeRetry();
      }
    }
  }

  /** Go by what the journal says, and by nothing else. */
  async reload(): Promise<void> {
    const { journal, sessionId, workspace, lifetime, grants, notes, actAnew } = this.#options;
    const session = emptySession(sessionId);
    let seq = 0;
    notes.reset();
    for await (const page of readPages(journal, sessionId))
      for (const { event, ...recorded } of page) {
        evolve(session, event);
        notes.read(event, session);
        seq = recorded.seq + 1;
      }
    // Another process took this one for dead: what the facts call running now runs there.
    if (this.#epoch > 0 && session.epoch !== this.#epoch)
      return lifetime.end({ code: 'owner_lost', sessionId });
    session.added.length = 0;
    session.claims.length = 0;
    this.#state.session = session;
    this.#state.seq = seq;
    notes.restore(session);
    grants.replace(await journal.grants({ sessionId, workspace }));
    // Until then, what the facts call running ran in the process before, and is not to be run again here.
    if (this.#epoch > 0 && !lifetime.ended) actAnew();
  }
}
