import type { SessionClient } from '@countersign/client';
import { JournalError } from '@countersign/engine';
import type { Delivery, Event } from '@countersign/protocol';
import type { HeldThings } from '../world/held.js';
import type { History } from '../world/history.js';
import type { Complain } from '../world/invariants.js';
import { TOO_LATE } from '../world/simulated-tools.js';

export type Pace = 'eager' | 'slow' | 'throwing';

/** What a watcher follows: one life of the session, whose feed has everything from `feedFrom` on at hand. */
export type Followed = {
  readonly id: number;
  readonly client: SessionClient;
  readonly feedFrom: () => number;
};

export type WatcherSurroundings = {
  readonly history: History;
  readonly held: HeldThings;
  readonly keepsAll: boolean;
  readonly complain: Complain;
  readonly active: () => void;
  /** Called for each event in the tick in which it arrives. */
  readonly onEvent: (event: Event) => void;
};

/** A client that wants every fact from some point on, across crashes and its own faults. */
export class Watcher {
  readonly pace: Pace;
  /** The number of the next fact it has not seen. */
  next: number;
  state: 'unattached' | 'following' | 'ended' | 'broken' = 'unattached';
  followed: Followed | null = null;
  readonly #around: WatcherSurroundings;
  #abort = new AbortController();
  #faultsLeft = 1;

  constructor(pace: Pace, from: number, around: WatcherSurroundings) {
    this.pace = pace;
    this.next = from;
    this.#around = around;
  }

  /** Begin, or begin again, where it stopped. */
  follow(followed: Followed): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.followed = followed;
    this.state = 'following';
    void this.#read(followed, this.#abort.signal);
  }

  leave(): void {
    this.#abort.abort();
  }

  async #read(followed: Followed, signal: AbortSignal): Promise<void> {
    const isCurrent = () => this.followed === followed && !signal.aborted;
    try {
      for await (const batch of followed.client.events(this.next, signal)) {
        if (!isCurrent()) return;
        for (const delivery of batch) this.#take(delivery, followed);
        if (this.pace === 'throwing' && this.#faultsLeft-- > 0) throw new SubscriberFault();
        if (this.pace === 'slow') await this.#dawdle(followed.id);
      }
      if (isCurrent()) this.state = 'ended';
    } catch (thrown) {
      if (!(thrown instanceof JournalError || thrown instanceof SubscriberFault)) {
        this.#around.complain('order', `a subscriber got an error: ${String(thrown)}`);
      }
      if (isCurrent()) this.state = 'broken';
    }
  }

  #take(delivery: Delivery, { feedFrom }: Followed): void {
    const { history, complain, active, onEvent, keepsAll } = this.#around;
    active();
    if ('live' in delivery) {
      if (delivery.live.output === TOO_LATE) complain('order', 'output was heard after the end of its call');
      return;
    }
    const { seq, event } = delivery;
    if (seq < this.next) return complain('order', `fact ${seq} came again, ${this.next} was next`);
    for (let missing = this.next; missing < seq; missing++) {
      const isPast = !keepsAll && this.next < feedFrom() && history.mayBeDropped(missing);
      if (!isPast) return complain('order', `fact ${missing} is missing, ${seq} came`);
    }
    const written = history.events[seq];
    if (!written) complain('durable', `fact ${seq} was told before it was written`);
    else if (written !== event && JSON.stringify(written) !== JSON.stringify(event)) {
      complain('order', `fact ${seq} was told as ${JSON.stringify(event)}`);
    }
    this.next = seq + 1;
    onEvent(event);
  }

  #dawdle(life: number): Promise<void> {
    return new Promise((release) =>
      this.#around.held.add({ what: 'reader', label: 'slow subscriber', life, release }),
    );
  }
}

class SubscriberFault extends Error {}
