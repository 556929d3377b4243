type Wanted = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'nothing';

/** Numbers and literals; the parser checks their spelling. */
const WORD = /[-+.\w]+/y;

/**
 * Whether the lines so far could be the beginning of a JSON value. No JSON token
 * spans lines, so each line is scanned once.
 */
export class JsonPrefix {
  readonly #open: string[] = [];
  #wanted: Wanted = 'value';
  #broken = false;

  /** 'closed' when all brackets are: a value that spans lines ends there, even a broken one. */
  get state(): 'open' | 'broken' | 'closed' {
    if (this.#open.length === 0) return 'closed';
    return this.#broken ? 'broken' : 'open';
  }

  add(line: string): void {
    for (let at = 0; at < line.length; ) {
      const character = line.charAt(at);
      WORD.lastIndex = at;
      if (character === '"') {
        const end = closingQuote(line, at);
        if (end < 0) {
          this.#broken = true;
          return;
        }
        this.#scalar('text');
        at = end + 1;
      } else if (WORD.test(line)) {
        this.#scalar('word');
        at = WORD.lastIndex;
      } else {
        this.#mark(character);
        at++;
      }
    }
  }

  #scalar(kind: 'text' | 'word'): void {
    if (kind === 'text' && this.#wanted.startsWith('key')) this.#wanted = 'colon';
    else if (this.#wanted.startsWith('value')) this.#afterValue();
    else this.#broken = true;
  }

  #mark(mark: string): void {
    const wanted = this.#wanted;
    switch (mark) {
      case '{':
      case '[':
        if (!wanted.startsWith('value')) this.#broken = true;
        this.#open.push(mark);
        this.#wanted = mark === '{' ? 'key or end' : 'value or end';
        return;
      case '}':
      case ']':
        if (this.#open.pop() !== (mark === '}' ? '{' : '[') || !wanted.endsWith('end')) this.#broken = true;
        this.#afterValue();
        return;
      case ',':
        if (wanted !== 'comma or end') this.#broken = true;
        this.#wanted = this.#open.at(-1) === '{' ? 'key' : 'value';
        return;
      case ':':
        if (wanted !== 'colon') this.#broken = true;
        this.#wanted = 'value';
        return;
      case ' ':
      case '\t':
      case '\r':
        return;
      default:
        this.#broken = true;
    }
  }

  #afterValue(): void {
    this.#wanted = this.#open.length === 0 ? 'nothing' : 'comma or end';
  }
}

/** Where the text that begins at `from` ends; -1 if not on this line. */
function closingQuote(line: string, from: number): number {
  for (let at = line.indexOf('"', from + 1); at >= 0; at = line.indexOf('"', at + 1)) {
    let escapes = 0;
    while (line[at - 1 - escapes] === '\\') escapes++;
    if (escapes % 2 === 0) return at;
  }
  return -1;
}
