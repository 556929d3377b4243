import { callIdOf, type Event, isAbout } from '@countersign/protocol';
import type { Recorded } from '../journal/index.js';

/** A session's events in memory, able to forget the calls of turns that are over. */
export class KeptEvents {
  /** Everything from `#recentFrom` on. */
  #recent: Event[] = [];
  #recentFrom = 0;
  /** Of what came before: facts about the session itself, which outlive every turn … */
  readonly #lasting: Recorded[] = [];
  /** … the turn that ended last, without its calls, which has the number of the last turn … */
  #frame: Recorded[] = [];
  /** … and the turns that were open when the others were forgotten. */
  #open: Recorded[] = [];
  readonly #openTurns = new Set<number>();
  #lastEnded = 0;
  #somethingEnded = false;

  get seq(): number {
    return this.#recentFrom + this.#recent.length;
  }

  get openTurns(): number {
    return this.#openTurns.size;
  }

  isOpen(turn: number): boolean {
    return this.#openTurns.has(turn);
  }

  add(event: Event): void {
    if (event.type === 'turn.started') this.#openTurns.add(event.turn);
    else if (event.type === 'turn.ended') {
      this.#openTurns.delete(event.turn);
      this.#lastEnded = event.turn;
      this.#somethingEnded = true;
    }
    this.#recent.push(event);
  }

  read(fromSeq: number): readonly Recorded[] {
    const recorded = [...this.#lasting, ...this.#frame, ...this.#open].sort((a, b) => a.seq - b.seq);
    this.#recent.forEach((event, index) => recorded.push({ seq: this.#recentFrom + index, event }));
    return fromSeq === 0 ? recorded : recorded.filter(({ seq }) => seq >= fromSeq);
  }

  /** True if anything was forgotten. The last event always stays, since its number is the count. */
  forgetEndedTurns(): boolean {
    // The events of open turns are visited each time: worth it only when at least as much is new, or all is over.
    const isWorthIt = this.#openTurns.size === 0 || this.#recent.length >= this.#open.length;
    if (!this.#somethingEnded || !isWorthIt) return false;
    this.#somethingEnded = false;

    const earlier = [...this.#frame, ...this.#open].sort((a, b) => a.seq - b.seq);
    const last = this.#recent.pop();
    const recent = this.#recent;
    const recentFrom = this.#recentFrom;
    this.#recentFrom += recent.length;
    this.#recent = last ? [last] : [];
    this.#frame = [];
    this.#open = [];

    const turnOfCall = new Map<string, number>();
    for (const { seq, event } of earlier) this.#keepWhatLasts(seq, event, turnOfCall);
    recent.forEach((event, index) => this.#keepWhatLasts(recentFrom + index, event, turnOfCall));
    return true;
  }

  #keepWhatLasts(seq: number, event: Event, turnOfCall: Map<string, number>): void {
    if (isAbout(event, 'session')) {
      this.#lasting.push({ seq, event });
      return;
    }
    if (event.type === 'call.requested') turnOfCall.set(event.request.callId, event.request.turn);
    const turn = 'turn' in event ? event.turn : turnOfCall.get(callIdOf(event) ?? '');
    if (turn !== undefined && this.#openTurns.has(turn)) this.#open.push({ seq, event });
    else if (isAbout(event, 'turn') && turn === this.#lastEnded) this.#frame.push({ seq, event });
  }
}
