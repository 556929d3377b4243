import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from '../contract/problems.js';
import type { PersonBuffers, Room } from './buffers.js';

/** Requests that wait to be answered: more than a page asks for at once. */
const WAITING_PER_PERSON = 32;
const WAITING_MAX = 128;
/** Time for other requests after each answer that took long. */
const PAUSE_MS = 5;
const LONG_MS = 5;
/** A few bytes each; an answer whose size is forgotten is built once more than it need be. */
const SIZES_KNOWN = 1_000;

/** Room that was taken for an answer before it was built. */
export type Reserved = { readonly bytes: number; readonly room: Room };

type Build = {
  readonly person: string;
  /** The same for requests that have the same answer. */
  readonly address: string;
  readonly buffers: PersonBuffers;
  readonly gone: AbortSignal;
  /** Builds and sends the answer; returns its bytes. */
  readonly answer: (reserved: Reserved | null) => Promise<number>;
};

/**
 * Answers that may be many megabytes, such as everything about one question. They are built one at a time, with time for
 * other requests in between, and not at all while there is no room for one of the size that it had before.
 */
export class LargeAnswers {
  readonly #sizes = new Map<string, number>();
  readonly #waiting = new Map<string, number>();
  #waitingInAll = 0;
  #turn: Promise<unknown> = Promise.resolve();

  /** Throws a `Refusal` at once if too many wait already. */
  async build(build: Build): Promise<void> {
    const { person } = build;
    const ofPerson = this.#waiting.get(person) ?? 0;
    if (ofPerson >= WAITING_PER_PERSON || this.#waitingInAll >= WAITING_MAX)
      throw new Refusal({ code: 'too_much_unread' });
    this.#count(person, 1);
    const built = this.#turn.then(() => this.#build(build));
    this.#turn = built.then(pauseAfter, () => undefined);
    try {
      await built;
    } finally {
      this.#count(person, -1);
    }
  }

  /** Returns how long it took. */
  async #build({ address, buffers, gone, answer }: Build): Promise<number> {
    if (gone.aborted) return 0;
    const began = performance.now();
    const key = createHash('sha256').update(address).digest('base64');
    const bytes = this.#sizes.get(key);
    const room = bytes === undefined ? null : buffers.tryTake(bytes);
    if (bytes !== undefined && !room) throw new Refusal({ code: 'too_much_unread' });
    try {
      const reserved = bytes !== undefined && room ? { bytes, room } : null;
      this.#remember(key, await answer(reserved));
    } catch (thrown) {
      if (thrown instanceof TooLarge) this.#remember(key, thrown.bytes);
      room?.release();
      throw thrown;
    }
    return performance.now() - began;
  }

  #remember(key: string, bytes: number): void {
    this.#sizes.delete(key);
    if (bytes > 0) this.#sizes.set(key, bytes);
    const [oldest] = this.#sizes.keys();
    if (oldest !== undefined && this.#sizes.size > SIZES_KNOWN) this.#sizes.delete(oldest);
  }

  #count(person: string, change: 1 | -1): void {
    const waiting = (this.#waiting.get(person) ?? 0) + change;
    if (waiting > 0) this.#waiting.set(person, waiting);
    else this.#waiting.delete(person);
    this.#waitingInAll += change;
  }
}

/** An answer that was built, and for which there is no room. */
export class TooLarge extends Refusal {
  constructor(readonly bytes: number) {
    super({ code: 'too_much_unread' });
  }
}

const pauseAfter = async (tookMs: number): Promise<void> => {
  if (tookMs > LONG_MS) await sleep(PAUSE_MS);
};
