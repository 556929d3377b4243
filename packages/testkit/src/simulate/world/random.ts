/** Numbers that look random and follow from the seed alone: whatever one run did, the next one does again. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
    // Neighbouring seeds differ in few bits; the first numbers would show it.
    for (let i = 0; i < 4; i++) this.#bits();
  }

  /** At least 0, less than 1. */
  next(): number {
    return this.#bits() / 2 ** 32;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(choices: readonly [T, ...T[]]): T;
  pick<T>(choices: readonly T[]): T | undefined;
  pick<T>(choices: readonly T[]): T | undefined {
    return choices[this.below(choices.length)];
  }

  /** One of the entries, each as often as its weight says; undefined if none has any. */
  weighted<T extends { readonly weight: number }>(choices: readonly T[]): T | undefined {
    let left = this.next() * choices.reduce((sum, { weight }) => sum + weight, 0);
    return choices.find(({ weight }) => (left -= weight) < 0);
  }

  /** A counter that leaps by an odd number visits every state once; the rest only makes its bits look unrelated. */
  #bits(): number {
    this.#state = (this.#state + 0x9e3779b9) | 0;
    let mixed = this.#state ^ (this.#state >>> 15);
    mixed = Math.imul(mixed, 0x2c1b3c6d);
    mixed ^= mixed >>> 13;
    mixed = Math.imul(mixed, 0x297a2d39);
    return (mixed ^ (mixed >>> 16)) >>> 0;
  }
}
