/** What lies open around the text: `- ` before its first line, blanks before the others. */
type Indent = { readonly prefix: string; marker: string };

const INDENTS_MAX = 8; // deeper lists are unreadable, and each line repeats all indents

/**
 * Writes Markdown as it goes: blanks and breaks are owed until there is text to put after them, so that nothing that
 * was written need be looked at again.
 */
export class MarkdownWriter {
  readonly #parts: string[] = [];
  readonly #indents: Indent[] = [];
  #skippedIndents = 0;
  /** Line breaks owed before the next text. */
  #breaks: 0 | 1 | 2 = 0;
  #blank = false;
  /** Whether an indent waits for its first text: between a bullet and its text there is no break. */
  #isFresh = false;
  /** Openings of links and emphasis that no text has followed yet. */
  readonly #openings: string[] = [];
  #chars = 0;

  /** How much was written; a place to cut it at is `at`. */
  get chars(): number {
    return this.#chars;
  }

  get at(): number {
    return this.#parts.length;
  }

  textOf(from = 0, to = this.#parts.length): string {
    return this.#parts.slice(from, to).join('').trim();
  }

  /** Text in which any run of white space is one blank. */
  text(text: string): void {
    const words = text.replace(/\s+/g, ' ');
    if (words.startsWith(' ')) this.#blank = true;
    const inner = words.trim();
    if (inner === '') return;
    this.#write(inner);
    this.#blank = words.endsWith(' ');
  }

  /** At least one line break, or an empty line, before what follows. */
  break(lines: 1 | 2): void {
    if (lines > this.#breaks && !(this.#isFresh && this.#breaks > 0)) this.#breaks = lines;
    this.#blank = false;
  }

  lineBreak(): void {
    this.break(this.#breaks === 0 ? 1 : 2);
  }

  blank(): void {
    this.#blank = true;
  }

  /** Written only if text follows before `close`. */
  open(mark: string): void {
    this.#openings.push(mark);
  }

  close(mark: string): void {
    if (this.#openings.length > 0) this.#openings.pop();
    else this.#put(mark);
  }

  indent(marker: string, prefix: string): void {
    if (this.#indents.length >= INDENTS_MAX) this.#skippedIndents += 1;
    else this.#indents.push({ marker, prefix });
    this.#isFresh = true;
  }

  outdent(): void {
    if (this.#skippedIndents > 0) this.#skippedIndents -= 1;
    else this.#indents.pop();
  }

  /** Lines as they stand. */
  lines(lines: readonly string[]): void {
    for (const line of lines) {
      this.break(1);
      this.#write(line);
    }
  }

  #write(text: string): void {
    if (this.#breaks > 0 || this.#parts.length === 0) {
      const before = this.#indents.map(({ prefix }) => prefix).join('');
      const ends = this.#parts.length === 0 ? '' : `\n${this.#breaks === 2 ? `${before.trimEnd()}\n` : ''}`;
      this.#put(`${ends}${this.#indents.map(firstOf).join('')}`);
    } else if (this.#blank) this.#put(' ');
    this.#breaks = 0;
    this.#blank = false;
    this.#isFresh = false;
    for (const opening of this.#openings.splice(0)) this.#put(opening);
    this.#put(text);
  }

  #put(text: string): void {
    this.#parts.push(text);
    this.#chars += text.length;
  }
}

function firstOf(indent: Indent): string {
  const { marker, prefix } = indent;
  indent.marker = prefix;
  return marker;
}
