import { setImmediate } from 'node:timers/promises';
import { type Journal, readPage } from '@countersign/engine';
import type { PersonBuffers, Room } from '../http/buffers.js';

/** Characters of the journal read for a client at a time. One append may be longer. */
export const CHARS_PER_PAGE = 64 * 1024;
/** A page and the frames that are made of it. */
const COPIES = 2;

/** A few bytes each; what is forgotten is read once more than it need be. */
const LARGE_PAGES_KNOWN = 1_000;

/** A fact as it goes over the wire. */
export type WrittenFact = { readonly seq: number; readonly json: string };

export type FactPage = { readonly facts: readonly WrittenFact[]; readonly room: Room };

/**
 * Reads pages of facts for clients, each at its own pace, and holds no more of them than there is room for. One is read
 * after the other: many that are read at once would all be in memory before any of them is counted.
 */
export class FactPages {
  readonly #journal: Journal;
  /** Room that pages need which are larger than most, by their place. */
  readonly #large = new Map<string, number>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** The facts from a place on, none at the end; null if the client is gone. Release the room when they are sent. */
  async read(
    sessionId: string,
    fromSeq: number,
    buffers: PersonBuffers,
    over: AbortSignal,
  ): Promise<FactPage | null> {
    const place = `${fromSeq} ${sessionId}`;
    let bytes = this.#large.get(place) ?? COPIES * CHARS_PER_PAGE;
    for (;;) {
      const room = await buffers.take(bytes, over);
      if (!room) return null;
      try {
        const facts = await this.#inTurn(sessionId, fromSeq);
        const needed = COPIES * facts.reduce((sum, { json }) => sum + json.length, 0);
        if (needed <= bytes) return { facts, room };
        // Larger than most: it is read again once there is room for it, and the next client knows that beforehand.
        bytes = needed;
        this.#remember(place, needed);
      } catch (thrown) {
        room.release();
        throw thrown;
      }
      room.release();
    }
  }

  #remember(place: string, bytes: number): void {
    this.#large.delete(place);
    this.#large.set(place, bytes);
    const [oldest] = this.#large.keys();
    if (oldest !== undefined && this.#large.size > LARGE_PAGES_KNOWN) this.#large.delete(oldest);
  }

  #inTurn(sessionId: string, fromSeq: number): Promise<readonly WrittenFact[]> {
    const reading = this.#turn.then(async () => {
      // A client that reads as fast as we send is no reason to keep everybody else waiting.
      await setImmediate();
      const facts = await readPage(this.#journal, sessionId, fromSeq, CHARS_PER_PAGE);
      return facts.map(({ seq, event }) => ({
        seq,
        json: `{"seq":${seq},"event":${JSON.stringify(event)}}`,
      }));
    });
    this.#turn = reading.catch(() => undefined);
    return reading;
  }
}
