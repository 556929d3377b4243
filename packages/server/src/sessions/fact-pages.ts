import { setImmediate } from 'node:timers/promises';
import { type Journal, readPage } from '@countersign/engine';
import type { PersonBuffers, Room } from '../http/buffers.js';

/** Characters of the journal read for a client at a time. One append may be longer. */
export const CHARS_PER_PAGE = 64 * 1024;
/** A page and the frames that are made of it. */
const COPIES = 2;

/** A few bytes each; a forgotten page is read once more than necessary. */
const LARGE_PAGES_KNOWN = 1_000;

const RECENT_CHARS_MAX = 4_000_000;

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
  /** Clients that begin at the same place read the same pages, one soon after the other. */
  readonly #recent = new Map<string, readonly WrittenFact[]>();
  #recentChars = 0;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** The facts from a place on, none at the end; null if the client disconnected. Release the room when they are sent. */
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
      const read = await this.#readInto(room, bytes, sessionId, fromSeq);
      if ('facts' in read) return read;
      // Larger than most: it is read again once there is room for it, and the next client knows that beforehand.
      bytes = read.needed;
      this.#remember(place, bytes);
    }
  }

  /**
   * A page that fits into the room that was taken, or how many bytes it needs. Not part of the loop that waits for room:
   * a suspended function keeps the last values of its variables alive, so each waiting client would hold a whole page.
   */
  async #readInto(
    room: Room,
    bytes: number,
    sessionId: string,
    fromSeq: number,
  ): Promise<FactPage | { readonly needed: number }> {
    let isHeld = false;
    try {
      const facts = await this.#inTurn(sessionId, fromSeq);
      const needed = COPIES * charsOf(facts);
      isHeld = needed <= bytes;
      return isHeld ? { facts, room } : { needed };
    } finally {
      if (!isHeld) room.release();
    }
  }

  /** Only full pages are cached: the last page of a session is short, and soon grows. */
  #keep(place: string, facts: readonly WrittenFact[]): void {
    const chars = charsOf(facts);
    if (chars < CHARS_PER_PAGE || chars > RECENT_CHARS_MAX) return;
    this.#recent.set(place, facts);
    this.#recentChars += chars;
    for (const [oldest, page] of this.#recent) {
      if (this.#recentChars <= RECENT_CHARS_MAX) return;
      this.#recent.delete(oldest);
      this.#recentChars -= charsOf(page);
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
      // A client that reads as fast as we send must not delay all others.
      await setImmediate();
      // Another session may have the id of a deleted one.
      const place = `${fromSeq} ${(await this.#journal.session(sessionId))?.createdAt} ${sessionId}`;
      const known = this.#recent.get(place);
      if (known) return known;
      const facts = await readPage(this.#journal, sessionId, fromSeq, CHARS_PER_PAGE);
      const written = facts.map(({ seq, event }) => ({
        seq,
        json: `{"seq":${seq},"event":${JSON.stringify(event)}}`,
      }));
      this.#keep(place, written);
      return written;
    });
    // Without its value: the last page must not stay in memory until the next one is read.
    this.#turn = reading.then(
      () => undefined,
      () => undefined,
    );
    return reading;
  }
}

const charsOf = (facts: readonly WrittenFact[]): number =>
  facts.reduce((sum, { json }) => sum + json.length, 0);
