/** Rows as they are sent to the terminal. */
export type Block = {
  readonly rows: readonly string[];
  /** What they were laid out for. */
  readonly columns: number;
  /** The question that they put to a person; omitted for rows that put none. */
  readonly asks?: QuestionOnScreen;
};

/** A question as long as it is drawn: it can be answered once the terminal has taken it. */
export type QuestionOnScreen = {
  /** When it was written, in the time of `performance.now()`; null while it was not. */
  shownAt: number | null;
  readonly onShown: () => void;
};

/** Where it is drawn: repeatedly, or once. */
export type BlockKind = 'live' | 'printed';

/** Signs are ASCII: how wide anything else is takes a table that is 35 ms in the making. */
const MARKS = { live: '.', printed: ':' } as const;
/** Of a sign, so that nothing wider has to be laid out; five digits to the base 36 are more than will ever be needed. */
export const SIGN_COLUMNS_MAX = 6;
const RESTING_MIN = 256; // so many others come before one that was given back is used again

/**
 * What draws the screen lays out a sign for each block of rows, and the rows take its place on the way out. To lay out
 * ten streams letter by letter, ten times a second, takes a third of a core; and it keeps each row permanently.
 */
export class Blocks {
  readonly #held = new Map<string, Block>();
  readonly #resting: { readonly [kind in BlockKind]: string[] } = { live: [], printed: [] };
  readonly #made = { live: 0, printed: 0 };

  /** The sign that represents them until it is given back. */
  put(kind: BlockKind, block: Block): string {
    const resting = this.#resting[kind];
    const sign = (resting.length > RESTING_MIN ? resting.shift() : undefined) ?? this.#nextSign(kind);
    this.#held.set(sign, block);
    return sign;
  }

  /** The block stays known until the sign is used again: a frame with it may not be written yet. */
  giveBack(sign: string): void {
    this.#resting[kindOf(sign)].push(sign);
  }

  /** The block whose sign a line of a frame is; null if it is no sign. */
  at(line: string): (Block & { readonly kind: BlockKind }) | null {
    const block = this.#held.get(line);
    return block ? { ...block, kind: kindOf(line) } : null;
  }

  #nextSign(kind: BlockKind): string {
    return `${MARKS[kind]}${(this.#made[kind]++).toString(36)}`;
  }
}

const kindOf = (sign: string): BlockKind => (sign.startsWith(MARKS.printed) ? 'printed' : 'live');
