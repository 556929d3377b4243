/** Pastes are marked as such, the terminal says when it comes to the front, and keys with modifiers are distinguished. */
const ENTER = '\u001b[?2004h\u001b[?1004h\u001b[>1u';
const LEAVE = '\u001b[<1u\u001b[?1004l\u001b[?2004l\u001b[?25h';

/** What is asked of a terminal for as long as we have it. */
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

  /** What lies behind the text; the answer comes as if it were typed. The console of Linux would print the question. */
  askForBackground(term: string | undefined): void {
    if (term !== 'linux') this.#stdout.write('\u001b]11;?\u0007');
  }

  leave(): void {
    if (!this.#isEntered) return;
    this.#isEntered = false;
    this.#stdout.write(LEAVE);
    this.#stdin.setRawMode?.(false);
  }

  /** A bell, and a word to the desktop where the terminal passes that on. Both texts are ours. */
  notify(title: string, words: string): void {
    this.#stdout.write(`\u0007\u001b]9;${title}: ${words}\u0007\u001b]777;notify;${title};${words}\u0007`);
  }
}
