const NUL = '\0';

/** Reads names that are printed with a NUL after each, however they are cut into pieces. */
export class NameReader {
  readonly #found: (name: string) => void;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #begun = '';

  constructor(found: (name: string) => void) {
    this.#found = found;
  }

  take(printed: Buffer): void {
    const names = (this.#begun + this.#decoder.decode(printed, { stream: true })).split(NUL);
    this.#begun = names.pop() ?? '';
    for (const name of names) this.#found(name.startsWith('./') ? name.slice(2) : name);
  }
}
