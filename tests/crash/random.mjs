/** Numbers that look random and are the same for the same seed. */
export class Random {
  #state;

  constructor(/** @type {number} */ seed) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to, but not including, 1. */
  next() {
    // Mulberry32: one word of state is enough to choose a round from.
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number, both ends included. */
  between(/** @type {number} */ from, /** @type {number} */ to) {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  /** @template T @param {readonly T[]} list @returns {T} */
  pick(list) {
    const picked = list[this.between(0, list.length - 1)];
    if (picked === undefined) throw new Error('there is nothing to pick from');
    return picked;
  }

  /** True about this often, from 0 (never) to 1 (always). */
  chance(/** @type {number} */ often) {
    return this.next() < often;
  }
}
