/** What is longer is shown by its size only: the prompt stays readable, and typing stays quick. */
const SHOWN_LINES_MAX = 5;
const SHOWN_CHARS_MAX = 1_000;

/** Long texts that were pasted, each with the words that stand for it in the prompt. */
export class Pastes {
  readonly #contents = new Map<string, string>();

  /** What to put into the prompt. */
  shorten(text: string): string {
    const lines = text.split('\n').length;
    if (lines <= SHOWN_LINES_MAX && text.length <= SHOWN_CHARS_MAX) return text;
    const size = lines > 1 ? `${lines} lines` : `${text.length} characters`;
    let words = `[pasted ${size}]`;
    for (let number = 2; this.#contents.has(words) && this.#contents.get(words) !== text; number++)
      words = `[pasted ${size} #${number}]`;
    this.#contents.set(words, text);
    return words;
  }

  /** The prompt as it is meant. */
  expand(prompt: string): string {
    let whole = '';
    let left = prompt;
    for (;;) {
      const next = this.#first(left);
      if (next === null) return whole + left;
      whole += left.slice(0, next.at) + (this.#contents.get(next.words) ?? next.words);
      left = left.slice(next.at + next.words.length);
    }
  }

  clear(): void {
    this.#contents.clear();
  }

  #first(text: string): { readonly at: number; readonly words: string } | null {
    let first: { readonly at: number; readonly words: string } | null = null;
    for (const words of this.#contents.keys()) {
      const at = text.indexOf(words);
      if (at >= 0 && (first === null || at < first.at)) first = { at, words };
    }
    return first;
  }
}
