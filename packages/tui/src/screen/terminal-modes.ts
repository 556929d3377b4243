/** Bracketed paste, focus reports, and keys with modifiers. */
const ENTER = '\u001b[?2004h\u001b[?1004h\u001b[>1u';
const LEAVE = '\u001b[<1u\u001b[?1004l\u001b[?2004l\u001b[?25h';

/** The modes that the terminal has while the program uses it. */
export class TerminalModes {
  readonly #stdin: NodeJS.ReadStream;
  readonly #stdout: NodeJS.WriteStream;
  #isEntered = false;

  constructor(stdin: NodeJS.ReadStream, stdout: NodeJS.WriteStream) {
    this.#stdin = stdin;
    this.#stdout = stdout;
  }

  enter(): void {
    if (this.#isEntered) return;
    this.#isEntered = true;
    this.#stdin.setRawMode?.(true);
    this.#stdout.write(ENTER);
  }

  /** Queries the background colour; the report arrives as input. The Linux console would print the query. */
  askForBackground(term: string | undefined): void {
    if (term !== 'linux') this.#stdout.write('\u001b]11;?\u0007');
  }

  leave(): void {
    if (!this.#isEntered) return;
    this.#isEntered = false;
    this.#stdout.write(LEAVE);
    this.#stdin.setRawMode?.(false);
  }

  /** A bell, and a desktop notification where the terminal supports it. Both texts are the program's own. */
  notify(title: string, words: string): void {
    this.#stdout.write(`\u0007\u001b]9;${title}: ${words}\u0007\u001b]777;notify;${title};${words}\u0007`);
  }
}
