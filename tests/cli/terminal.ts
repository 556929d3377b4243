import { type Place, PROGRAM } from './program.js';
import { PtyScreen } from './pty-screen.js';

const WAIT_MS = 12_000;
const LOOK_EVERY_MS = 25;

const KEYS = { 'C-c': '\u0003', 'C-d': '\u0004', Enter: '\r', Escape: '\u001b' } as const;
export type Key = keyof typeof KEYS;

/** A real terminal of 80 × 24 in which the program runs. */
export class Terminal {
  readonly #screen: PtyScreen;

  constructor(place: Place, args: readonly string[], env: { readonly [name: string]: string } = {}) {
    const quoted = [process.execPath, PROGRAM, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
    // The shell stays, so that the last screen can be looked at, even if a Ctrl-C reached it as well.
    const script = `trap : INT; ${quoted.join(' ')}; echo "[exit $?]"; sleep 60`;
    this.#screen = new PtyScreen(['/bin/sh', '-c', script], {
      cwd: place.workspace,
      env: { ...place.environment, ...env },
    });
  }

  type(text: string): void {
    this.#screen.write(text);
    this.press('Enter');
  }

  press(key: Key): void {
    this.#screen.write(KEYS[key]);
  }

  /** What can be seen now. */
  screen(): string {
    return this.#screen.rows().join('\n');
  }

  /** The same, and all that has scrolled away. */
  everything(): string {
    return this.#screen.everything();
  }

  /** All that was sent, with colours as escape sequences. */
  get bytes(): string {
    return this.#screen.bytes;
  }

  async shows(text: string): Promise<string> {
    return this.#until(text, (screen) => screen.includes(text));
  }

  /** The screen on which the question of this number, counted from 1, waits for a key. */
  async asks(number: number): Promise<string> {
    return this.#until(`question ${number}`, (screen) => {
      const asked = this.everything().split('Why you are asked').length - 1;
      return asked >= number && screen.trimEnd().endsWith('\n>');
    });
  }

  async #until(what: string, isThere: (screen: string) => boolean): Promise<string> {
    const giveUpAt = performance.now() + WAIT_MS;
    for (;;) {
      const screen = this.screen();
      if (isThere(screen)) return screen;
      if (performance.now() > giveUpAt) throw new Error(`"${what}" did not appear. The screen:\n${screen}`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  /** Ends all that runs in the terminal: it leads a session of its own. */
  close(): void {
    try {
      process.kill(-this.#screen.pid, 'SIGKILL');
    } catch {
      // It has ended already.
    }
    this.#screen.dispose();
  }
}

/** The program in a terminal of its own, which is gone afterwards. */
export async function inTerminal(
  place: Place,
  args: readonly string[],
  work: (terminal: Terminal) => Promise<void>,
  env: { readonly [name: string]: string } = {},
): Promise<void> {
  const terminal = new Terminal(place, args, env);
  try {
    await work(terminal);
  } finally {
    terminal.close();
  }
}
