/** A longer paste is shown by its size only: the prompt stays readable, and typing stays quick. */
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

  /** The prompt with the pasted texts in place of their short forms. */
  expand(prompt: string): string {
    return prompt.replace(/\[pasted [^[\]]+\]/g, (words) => this.#contents.get(words) ?? words);
  }

  clear(): void {
    this.#contents.clear();
  }
}
