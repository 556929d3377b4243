import { execFileSync, spawnSync } from 'node:child_process';
import { type Place, PROGRAM } from './program.js';

const WAIT_MS = 12_000;
const LOOK_EVERY_MS = 25;

export const hasTmux = spawnSync('tmux', ['-V']).status === 0;

/** A real terminal of 80 × 24 in which the program runs. */
export class Terminal {
  readonly #socket: string;

  constructor(place: Place, args: readonly string[], env: { readonly [name: string]: string } = {}) {
    this.#socket = `countersign-test-${process.pid}-${Math.random().toString(36).slice(2)}`;
    const quoted = [process.execPath, PROGRAM, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
    // The shell stays, so that the last screen can be looked at, even if a Ctrl-C reached it as well.
    const script = `trap : INT; ${quoted.join(' ')}; echo "[exit $?]"; sleep 60`;
    const size = ['-x', '80', '-y', '24'];
    execFileSync(
      'tmux',
      ['-L', this.#socket, '-f', '/dev/null', 'new-session', '-d', ...size, 'sh', '-c', script],
      {
        cwd: place.workspace,
        env: { ...place.environment, ...env, TERM: 'xterm-256color' },
      },
    );
  }

  type(text: string): void {
    this.#tmux('send-keys', '-l', text);
    this.press('Enter');
  }

  press(key: string): void {
    this.#tmux('send-keys', key);
  }

  /** What can be seen now. */
  screen(): string {
    return this.#tmux('capture-pane', '-p');
  }

  /** The same with colours as escape sequences, and all that has scrolled away. */
  everything(): string {
    return this.#tmux('capture-pane', '-p', '-e', '-S', '-');
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

  close(): void {
    spawnSync('tmux', ['-L', this.#socket, 'kill-server']);
  }

  #tmux(...args: string[]): string {
    return execFileSync('tmux', ['-L', this.#socket, ...args], { encoding: 'utf8' });
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
