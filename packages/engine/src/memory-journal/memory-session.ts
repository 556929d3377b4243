import type { ApprovalMode, Event } from '@countersign/protocol';
import type {
  AnsweredRow,
  ApprovalRow,
  CallRow,
  LastOwner,
  MessageRow,
  Owner,
  Recorded,
  SessionInfo,
} from '../journal/index.js';
import { KeptEvents } from './kept-events.js';
import { messageRow } from './message-row.js';

/** Answers that are kept for front ends that answer late. */
const ANSWERS_KEPT = 1_000;

type Waiting = { readonly place: number; readonly row: ApprovalRow };

/** Questions are listed in the order they were asked, over all sessions of the process. */
let lastPlace = 0;

/** One session of a memory journal: its events and the rows derived from them. */
export class MemorySession {
  /** The handle that works on it, and as whom. */
  held: { readonly by: object; readonly owner: Owner } | null = null;
  lastOwner: LastOwner | null = null;
  token = 0;
  /** Calls that ended, as far back as events are kept. */
  calls: CallRow[] = [];

  readonly #id: string;
  readonly #createdAt = Date.now();
  #updatedAt = this.#createdAt;
  #workspace = '';
  #mode: ApprovalMode = 'manual';

  readonly #events = new KeptEvents();
  readonly #waiting = new Map<string, Waiting>();
  readonly #answers = new Map<string, AnsweredRow>();

  constructor(id: string) {
    this.#id = id;
  }

  get seq(): number {
    return this.#events.seq;
  }

  add(events: readonly Event[]): void {
    this.#updatedAt = Date.now();
    for (const event of events) {
      this.#events.add(event);
      if (event.type === 'session.opened') this.#workspace = event.workspace;
      if (event.type === 'session.opened' || event.type === 'mode.changed') this.#mode = event.mode;
    }
  }

  read(fromSeq: number): readonly Recorded[] {
    return this.#events.read(fromSeq);
  }

  forgetEndedTurns(): void {
    if (!this.#events.forgetEndedTurns()) return;
    this.calls = this.calls.filter(({ turn }) => this.#events.isOpen(turn));
  }

  ask(row: ApprovalRow): void {
    const place = this.#waiting.get(row.callId)?.place ?? ++lastPlace;
    this.#waiting.set(row.callId, { place, row });
    this.#answers.delete(row.callId);
  }

  answer(callId: string, answer: AnsweredRow): void {
    this.#waiting.delete(callId);
    this.#answers.delete(callId);
    this.#answers.set(callId, answer);
    const [oldest] = this.#answers.keys();
    if (oldest !== undefined && this.#answers.size > ANSWERS_KEPT) this.#answers.delete(oldest);
  }

  withdraw(callId: string): void {
    this.#waiting.delete(callId);
  }

  settle(row: CallRow): void {
    this.calls.push(row);
    this.#waiting.delete(row.callId);
  }

  messages(): readonly MessageRow[] {
    return this.#events.read(0).flatMap(({ event }) => messageRow(this.#id, event) ?? []);
  }

  waiting(): readonly Waiting[] {
    return [...this.#waiting.values()];
  }

  answerOf(callId: string): AnsweredRow | null {
    return this.#answers.get(callId) ?? null;
  }

  info(): SessionInfo {
    return {
      sessionId: this.#id,
      workspace: this.#workspace,
      mode: this.#mode,
      createdAt: this.#createdAt,
      updatedAt: this.#updatedAt,
      seq: this.seq,
      owner: this.held?.owner ?? null,
      ...(!this.held && { lastOwner: this.lastOwner }),
      openTurns: this.#events.openTurns,
    };
  }
}
