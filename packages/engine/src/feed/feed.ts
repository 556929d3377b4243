import type { Delivery, Event, Live } from '@countersign/protocol';
import type { Recorded } from '../journal/index.js';
import { weightOf } from './weight.js';

/** Facts kept in memory for subscribers; one that is further behind reads the journal. */
const RECENT_MAX = 8_192;
/** The same for all sessions of a process together: a server with a thousand of them must not keep that many of each. */
const RECENT_IN_ALL_MAX = 2 * RECENT_MAX;
/** Facts may be large, so what is kept is also limited in characters: what every subscriber has taken goes beyond this … */
const RECENT_CHARS_MAX = 8_000_000;
/** … and the rest beyond this, however far behind a subscriber is. */
const UNTAKEN_CHARS_MAX = 4 * RECENT_CHARS_MAX;
/** Handed out at once, so that a subscriber that stops in the middle holds on to few. */
const BATCH_MAX = 500;

/** Feeds that keep something, those that have been quiet longest first; and how much all of them keep. */
const keeping = new Set<Feed>();
let keptInAll = 0;
let charsInAll = 0;

/** Some facts from a place on; none if there are none. */
type ReadPast = (fromSeq: number) => Promise<readonly Recorded[]>;

/**
 * Delivers events to subscribers.
 *
 * No subscriber is called: each one holds a place in the row of facts and takes
 * what is new when it has time, so a slow or throwing one costs the session
 * nothing. Live output is kept as the latest per call, so it costs the same
 * however many calls run and however slow the reader is.
 */
export class Feed {
  #recent: Event[] = [];
  #weights: number[] = [];
  #chars = 0;
  #recentFrom: number;
  readonly #readers = new Set<Reader>();
  readonly #readPast: ReadPast;
  #closed = false;

  constructor(nextSeq: number, readPast: ReadPast) {
    this.#recentFrom = nextSeq;
    this.#readPast = readPast;
  }

  publish(events: readonly Event[]): void {
    this.#stepOut();
    for (const event of events) {
      const weight = weightOf(event);
      this.#recent.push(event);
      this.#weights.push(weight);
      this.#chars += weight;
    }
    // Dropping half at a time keeps the cost per fact constant.
    if (this.#recent.length > RECENT_MAX)
      this.#drop(Math.max(this.#recent.length - RECENT_MAX, RECENT_MAX / 2));
    if (this.#chars > RECENT_CHARS_MAX) this.#dropTaken();
    if (this.#chars > UNTAKEN_CHARS_MAX) this.#drop(this.#countOver(UNTAKEN_CHARS_MAX / 2));
    if (!this.#closed) this.#stepIn();
    for (const reader of this.#readers) reader.wake();
  }

  publishLive(live: Live): void {
    for (const reader of this.#readers) reader.show(live);
  }

  /** Where a subscriber that wants only what is new would begin. */
  get nextSeq(): number {
    return this.#recentFrom + this.#recent.length;
  }

  async *subscribe(fromSeq: number, signal: AbortSignal): AsyncGenerator<readonly Delivery[]> {
    const reader = new Reader(fromSeq);
    const stop = () => reader.wake();
    this.#readers.add(reader);
    signal.addEventListener('abort', stop);
    try {
      let next = fromSeq;
      while (!signal.aborted) {
        if (next < this.nextSeq) {
          const batch = next < this.#recentFrom ? await this.#past(next, this.#recentFrom) : this.#at(next);
          next = batch.until;
          reader.next = next;
          if (batch.facts.length > 0) yield batch.facts;
          continue;
        }
        // From here to `sleep` nothing else runs: whatever is published later wakes this reader.
        const live = reader.takeLive();
        if (live.length > 0) yield live;
        else if (this.#closed) return;
        else await reader.sleep();
      }
    } finally {
      signal.removeEventListener('abort', stop);
      this.#readers.delete(reader);
    }
  }

  /** Subscribers get what they have not seen yet, then end. */
  close(): void {
    this.#closed = true;
    this.#stepOut();
    for (const reader of this.#readers) reader.wake();
  }

  #stepOut(): void {
    if (!keeping.delete(this)) return;
    keptInAll -= this.#recent.length;
    charsInAll -= this.#chars;
  }

  /** At the end of the row; if all keep too much now, it is at the expense of those at its beginning. */
  #stepIn(): void {
    keeping.add(this);
    keptInAll += this.#recent.length;
    charsInAll += this.#chars;
    for (const quietest of keeping) {
      const isEnough = keptInAll <= RECENT_IN_ALL_MAX && charsInAll <= UNTAKEN_CHARS_MAX;
      if (isEnough || quietest === this) return;
      quietest.#stepOut();
      quietest.#dropTaken();
    }
  }

  /** Drops what every subscriber has taken. */
  #dropTaken(): void {
    let taken = this.nextSeq;
    for (const { next } of this.#readers) taken = Math.min(taken, next);
    this.#drop(Math.max(0, taken - this.#recentFrom));
  }

  /** How many of the oldest are more than fits into so many characters. */
  #countOver(charsMax: number): number {
    let chars = this.#chars;
    let count = 0;
    for (; chars > charsMax && count < this.#weights.length; count++) chars -= this.#weights[count] ?? 0;
    return count;
  }

  #drop(count: number): void {
    if (count === 0) return;
    for (const weight of this.#weights.slice(0, count)) this.#chars -= weight;
    this.#weights = this.#weights.slice(count);
    this.#recent = this.#recent.slice(count);
    this.#recentFrom += count;
  }

  #at(next: number): Batch {
    const from = next - this.#recentFrom;
    const facts = this.#recent.slice(from, from + BATCH_MAX);
    return { facts: facts.map((event, index) => ({ seq: next + index, event })), until: next + facts.length };
  }

  /** What is not at hand is read, a page at a time; a journal that drops what is over has only some of it. */
  async #past(next: number, end: number): Promise<Batch> {
    const page = await this.#readPast(next);
    const facts = page.filter(({ seq }) => seq < end);
    const last = facts.at(-1);
    // Nothing more before the end: the page is empty, or continues beyond it.
    return { facts, until: last && facts.length === page.length ? last.seq + 1 : end };
  }
}

/** `until`: the first that is not in it. */
type Batch = { readonly facts: readonly Recorded[]; readonly until: number };

/** One subscriber: the live output it has not seen, and how to wake it. */
class Reader {
  #live = new Map<string, Live>();
  #wake: (() => void) | null = null;

  /** The first fact that it has not got. */
  constructor(public next: number) {}

  show(live: Live): void {
    const earlier = this.#live.get(live.callId);
    this.#live.set(live.callId, earlier ? { ...earlier, ...live } : live);
    this.wake();
  }

  takeLive(): readonly Delivery[] {
    if (this.#live.size === 0) return [];
    const taken = Array.from(this.#live.values(), (live) => ({ live }));
    this.#live = new Map();
    return taken;
  }

  wake(): void {
    const wake = this.#wake;
    this.#wake = null;
    wake?.();
  }

  sleep(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
