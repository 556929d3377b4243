/** The end of a text of any length. */
export class TextTail {
  readonly #charsMax: number;
  #text = '';

  constructor(charsMax: number) {
    this.#charsMax = charsMax;
  }

  add(text: string): void {
    const kept = this.#text + text.slice(-this.#charsMax);
    this.#text = kept.slice(-this.#charsMax);
  }

  get text(): string {
    return this.#text;
  }
}
