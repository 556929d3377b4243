import type { Session } from '@countersign/kernel';
import type { Event, Failure } from '@countersign/protocol';
import type { EarlierEdits } from '../planning/earlier-edits.js';
import { FilesSeen } from '../planning/files-seen.js';
import { AnswerListeners } from './answer-listeners.js';
import { NestedCalls } from './nested-calls.js';
import { TurnResults } from './turn-results.js';

/** What is kept beside the state because a fact said so, and handed out only when that fact is written. */
export class Notes {
  readonly results = new TurnResults();
  readonly nested = new NestedCalls();
  readonly answerListeners = new AnswerListeners();
  readonly seen = new FilesSeen();
  readonly edits: EarlierEdits;

  constructor(edits: EarlierEdits) {
    this.edits = edits;
  }

  /** A fact was decided. It is not written yet, so it must not be emitted. */
  decided(event: Event, session: Session): void {
    this.results.observe(event, session);
    this.nested.observe(event, session);
    this.answerListeners.observe(event);
    this.edits.observe(event);
    this.seen.observe(event, session);
  }

  /** All that was decided is written by now. */
  release(): void {
    this.results.release();
    this.nested.release();
  }

  /** The facts are about to be read from the journal, from the first one on. */
  reset(): void {
    this.seen.forget();
  }

  read(event: Event, session: Session): void {
    this.seen.observe(event, session);
  }

  /** All facts are read, and this is the state they make. */
  restore(session: Session): void {
    this.results.restore(session);
    this.edits.restore(session);
  }

  /** The session is over: waiting callers learn that nothing will come. */
  giveUp(failure: Failure): void {
    this.results.giveUp(failure);
    this.nested.giveUp();
  }
}
