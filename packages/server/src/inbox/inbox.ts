import { type AnsweredRow, type Append, type ApprovalRow, type Journal, readEach } from '@countersign/engine';
import { explain } from '@countersign/protocol';
import type { InboxChange } from '../contract/inbox-change.js';
import type { ApprovalSummary } from '../contract/operations.js';
import type { StoreChanges } from '../store/store-changes.js';
import { ChangeLog } from './change-log.js';

type Entry = { readonly place: number; readonly approval: ApprovalSummary };

export type ApprovalPage = {
  readonly approvals: readonly ApprovalSummary[];
  readonly total: number;
  readonly next: number | null;
};

/**
 * All open questions of all sessions of the store, updated with it: a list costs what it shows, however many are
 * open. The full content of a question stays in the store.
 */
export class Inbox {
  readonly log = new ChangeLog<InboxChange>();
  readonly #journal: Journal;
  readonly #changes: StoreChanges;
  readonly #onTrouble: (text: string) => void;
  readonly #sessions = new Map<string, Map<string, Entry>>();
  /** Oldest first. */
  readonly #entries = new Map<number, Entry>();
  /** How often a session of this process wrote: what was read before a write is outdated. */
  readonly #writes = new Map<string, number>();
  readonly #readings = new Map<string, Promise<void>>();
  #lastPlace = 0;

  constructor(journal: Journal, changes: StoreChanges, onTrouble: (text: string) => void) {
    this.#journal = journal;
    this.#changes = changes;
    this.#onTrouble = onTrouble;
  }

  async start(): Promise<void> {
    this.#changes.listen({
      onAppend: (append) => this.#appended(append),
      onOthers: (sessionId) => this.#readInTurn(sessionId),
      onDeleted: (sessionId) => this.#deleted(sessionId),
    });
    const { rows, damaged } = await readEach(
      async () => (await this.#journal.list()).map(({ sessionId }) => sessionId),
      () => this.#journal.approvals(),
      (sessionId) => this.#journal.approvals({ sessionId }),
    );
    for (const row of rows) this.#add(row);
    for (const failure of damaged.values()) this.#onTrouble(Object.values(explain(failure)).join(' '));
  }

  get waiting(): number {
    return this.#entries.size;
  }

  waitingIn(sessionId: string): number {
    return this.#sessions.get(sessionId)?.size ?? 0;
  }

  /** Those after a place, oldest first. */
  page(after: number, limit: number, sessionId: string | null): ApprovalPage {
    const all =
      sessionId === null ? this.#entries : (this.#sessions.get(sessionId) ?? new Map<string, Entry>());
    const approvals: ApprovalSummary[] = [];
    let last = after;
    for (const { place, approval } of all.values()) {
      if (place <= after) continue;
      if (approvals.length === limit) return { approvals, total: all.size, next: last };
      approvals.push(approval);
      last = place;
    }
    return { approvals, total: all.size, next: null };
  }

  #appended({ sessionId, events, views }: Append): void {
    this.#writes.set(sessionId, (this.#writes.get(sessionId) ?? 0) + 1);
    for (const change of views) {
      if (change.type === 'approval.asked') this.#add(change.row);
      else if (change.type === 'approval.answered') this.#remove(sessionId, change.callId, change.answer);
      else if (change.type === 'approval.withdrawn') this.#remove(sessionId, change.callId, null);
      else if (change.type === 'call.settled') this.#remove(sessionId, change.row.callId, null);
    }
    if (events.some(({ type }) => SESSION_EVENTS.includes(type)))
      this.log.push({ type: 'session.changed', sessionId });
  }

  /** One read of a session after the other: the result of an older read must not replace a newer one. */
  #readInTurn(sessionId: string): void {
    const before = this.#readings.get(sessionId) ?? Promise.resolve();
    const reading = before.then(() => this.#readAgain(sessionId));
    this.#readings.set(sessionId, reading);
    void reading.then(() => {
      if (this.#readings.get(sessionId) === reading) this.#readings.delete(sessionId);
    });
  }

  /** Another process owns it: its open questions are read, and compared with the known ones. */
  async #readAgain(sessionId: string): Promise<void> {
    try {
      const writes = this.#writes.get(sessionId);
      const rows = await this.#journal.approvals({ sessionId });
      const gone = [...(this.#sessions.get(sessionId)?.keys() ?? [])].filter(
        (callId) => !rows.some((row) => row.callId === callId),
      );
      const answers = await Promise.all(gone.map((callId) => this.#journal.answerOf(sessionId, callId)));
      if (this.#writes.get(sessionId) !== writes) return;
      for (const row of rows) this.#add(row);
      gone.forEach((callId, index) => this.#remove(sessionId, callId, answers[index] ?? null));
      this.log.push({ type: 'session.changed', sessionId });
    } catch (thrown) {
      this.#onTrouble(`The approvals of ${sessionId} could not be read: ${String(thrown)}`);
    }
  }

  #add(row: ApprovalRow): void {
    const { sessionId, callId } = row;
    const ofSession = this.#sessions.get(sessionId) ?? new Map<string, Entry>();
    this.#sessions.set(sessionId, ofSession);
    const known = ofSession.get(callId);
    if (known?.approval.digest === row.question.digest) return;
    // One that is asked again keeps its place.
    const entry = { place: known?.place ?? ++this.#lastPlace, approval: summaryOf(row) };
    ofSession.set(callId, entry);
    this.#entries.set(entry.place, entry);
    this.log.push({ type: 'approval.asked', approval: entry.approval });
  }

  #remove(sessionId: string, callId: string, answer: AnsweredRow | null): void {
    const ofSession = this.#sessions.get(sessionId);
    const entry = ofSession?.get(callId);
    if (!ofSession || !entry) return;
    ofSession.delete(callId);
    if (ofSession.size === 0) this.#sessions.delete(sessionId);
    this.#entries.delete(entry.place);
    const given = answer && { by: answer.by, outcome: answer.outcome, at: answer.at };
    this.log.push({ type: 'approval.gone', sessionId, callId, answer: given });
  }

  #deleted(sessionId: string): void {
    for (const callId of [...(this.#sessions.get(sessionId)?.keys() ?? [])])
      this.#remove(sessionId, callId, null);
    this.#writes.delete(sessionId);
    this.log.push({ type: 'session.deleted', sessionId });
  }
}

/** Events that change what a list of sessions shows. */
const SESSION_EVENTS: readonly string[] = [
  'session.opened',
  'mode.changed',
  'turn.started',
  'turn.ended',
  'message.added',
];

function summaryOf({ sessionId, callId, tool, title, question, verdict }: ApprovalRow): ApprovalSummary {
  const { confirmation, digest, askedAt } = question;
  return {
    sessionId,
    callId,
    tool,
    title,
    kind: confirmation.type,
    risk: confirmation.type === 'exec' ? confirmation.riskLevel : null,
    digest,
    askedAt,
    reason: verdict.reason,
  };
}
