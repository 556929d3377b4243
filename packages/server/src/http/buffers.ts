/** Bytes that were set aside for something that a client has not taken yet. */
export type Room = { readonly release: () => void };

export type BufferLimits = {
  readonly bufferedBytesMax: number;
  readonly bufferedBytesPerPerson: number;
};

/** What one person's connections may hold. */
export type PersonBuffers = {
  /** Waits until there is room. Null once the signal has fired. */
  readonly take: (bytes: number, over: AbortSignal) => Promise<Room | null>;
  /** Null if there is no room now. */
  readonly tryTake: (bytes: number) => Room | null;
};

type Waiting = { readonly person: string; readonly bytes: number; readonly grant: (room: Room) => void };

/**
 * How much the server holds for clients that have not read it yet: so much for each person, and so much in all. What
 * does not fit waits its turn, so that a client that reads gets everything and one that does not costs little. A part
 * that is larger than the limit passes when nothing else is held.
 */
export class Buffers {
  readonly #limits: BufferLimits;
  readonly #ofPersons = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();
  #total = 0;

  constructor(limits: BufferLimits) {
    this.#limits = limits;
  }

  get bytes(): number {
    return this.#total;
  }

  of(person: string): PersonBuffers {
    return {
      tryTake: (bytes) => (this.#fits(person, bytes) ? this.#hold(person, bytes) : null),
      take: (bytes, over) => this.#take(person, bytes, over),
    };
  }

  #take(person: string, bytes: number, over: AbortSignal): Promise<Room | null> {
    if (over.aborted) return Promise.resolve(null);
    // First come, first served for each user: a large part must not be overtaken indefinitely.
    const isBehind = [...this.#waiting].some((each) => each.person === person);
    if (!isBehind && this.#fits(person, bytes)) return Promise.resolve(this.#hold(person, bytes));
    return new Promise((resolve) => {
      const giveUp = () => {
        this.#waiting.delete(waiting);
        resolve(null);
        this.#serveWaiting();
      };
      const grant = (room: Room) => {
        over.removeEventListener('abort', giveUp);
        resolve(room);
      };
      const waiting: Waiting = { person, bytes, grant };
      this.#waiting.add(waiting);
      over.addEventListener('abort', giveUp, { once: true });
    });
  }

  #fits(person: string, bytes: number): boolean {
    const { bufferedBytesMax, bufferedBytesPerPerson } = this.#limits;
    const held = this.#ofPersons.get(person) ?? 0;
    return (
      (held === 0 || held + bytes <= bufferedBytesPerPerson) &&
      (this.#total === 0 || this.#total + bytes <= bufferedBytesMax)
    );
  }

  #hold(person: string, bytes: number): Room {
    this.#add(person, bytes);
    let isHeld = true;
    return {
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#add(person, -bytes);
        this.#serveWaiting();
      },
    };
  }

  #add(person: string, bytes: number): void {
    const held = (this.#ofPersons.get(person) ?? 0) + bytes;
    if (held > 0) this.#ofPersons.set(person, held);
    else this.#ofPersons.delete(person);
    this.#total += bytes;
  }

  /** Each person's in the order they came; one that does not fit holds up that person's others only. */
  #serveWaiting(): void {
    const heldUp = new Set<string>();
    for (const waiting of this.#waiting) {
      const { person, bytes, grant } = waiting;
      if (heldUp.has(person)) continue;
      if (this.#fits(person, bytes)) {
        this.#waiting.delete(waiting);
        grant(this.#hold(person, bytes));
      } else heldUp.add(person);
    }
  }
}
