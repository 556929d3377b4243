/** Earlier prompts, the oldest first, and a way to keep another. */
export type HistoryPort = { readonly entries: readonly string[]; readonly add: (entry: string) => void };

/** Walks through earlier prompts; what was being typed is found again at the end. */
export class History {
  readonly #port: HistoryPort;
  #entries: readonly string[];
  #place: number;
  #draft = '';

  constructor(port: HistoryPort) {
    this.#port = port;
    this.#entries = port.entries;
    this.#place = this.#entries.length;
  }

  add(entry: string): void {
    if (entry.trim() !== '' && this.#entries.at(-1) !== entry) {
      this.#entries = [...this.#entries, entry];
      this.#port.add(entry);
    }
    this.#place = this.#entries.length;
    this.#draft = '';
  }

  /** The one before; null at the first. `typed` is the current text of the prompt. */
  earlier(typed: string): string | null {
    if (this.#place === 0) return null;
    if (this.#place === this.#entries.length) this.#draft = typed;
    this.#place--;
    return this.#entries[this.#place] ?? null;
  }

  /** The one after it; null past the last. */
  later(): string | null {
    if (this.#place >= this.#entries.length) return null;
    this.#place++;
    return this.#entries[this.#place] ?? this.#draft;
  }
}
