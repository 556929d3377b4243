/** A way to write a part of a line; `depth` is how much deeper it may nest. */
export type Form = (draft: Draft, depth: number) => string;

/** Forms by the construct of bash that they show. The names are what coverage is counted by. */
export type Forms = { readonly [construct: string]: Form };

/** The two parts that hold each other. */
export type Grammar = { readonly command: Form; readonly word: Form };

/** One line in the making: every choice follows from its seed, and is written down. */
export class Draft {
  readonly constructs: string[] = [];
  readonly #grammar: Grammar;
  #state: number;

  constructor(seed: number, grammar: Grammar) {
    this.#state = seed | 0;
    this.#grammar = grammar;
  }

  command(depth: number): string {
    return this.#grammar.command(this, depth);
  }

  word(depth: number): string {
    return this.#grammar.word(this, depth);
  }

  write(forms: Forms, depth: number): string {
    const [construct, form] = this.pick(Object.entries(forms));
    this.constructs.push(construct);
    return form(this, depth);
  }

  pick<T>(choices: readonly T[]): T {
    const chosen = choices[this.#below(choices.length)];
    if (chosen === undefined) throw new Error('nothing to choose from');
    return chosen;
  }

  chance(percent: number): boolean {
    return this.#below(100) < percent;
  }

  /** Some of them, each made again. */
  several(most: number, make: () => string): readonly string[] {
    return Array.from({ length: this.#below(most + 1) }, make);
  }

  /** A place in a text, its end included. */
  placeIn(text: string): number {
    return this.#below(text.length + 1);
  }

  #below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }
}
