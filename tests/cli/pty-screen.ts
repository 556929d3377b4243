import { type IPty, spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';

export type ScreenOptions = {
  readonly columns?: number;
  readonly rows?: number;
  readonly cwd: string;
  readonly env: { readonly [name: string]: string | undefined };
};

export type PtyExit = { readonly exitCode: number; readonly signal?: number | undefined };

/** A program in a real pseudo-terminal, with a terminal that draws what it sends and answers what it asks. */
export class PtyScreen {
  readonly #pty: IPty;
  readonly #screen: InstanceType<typeof xterm.Terminal>;
  #bytes = '';
  #lastAt = 0;
  #exit: PtyExit | null = null;

  constructor(
    argv: readonly [string, ...(readonly string[])],
    { columns = 80, rows = 24, cwd, env }: ScreenOptions,
  ) {
    const [program, ...args] = argv;
    this.#screen = new xterm.Terminal({ cols: columns, rows, scrollback: 5_000, allowProposedApi: true });
    const name = 'xterm-256color';
    this.#pty = spawn(program, args, { cols: columns, rows, cwd, name, env: { ...env, TERM: name } });
    this.#pty.onData((data) => {
      this.#bytes += data;
      this.#lastAt = performance.now();
      this.#screen.write(data);
    });
    this.#screen.onData((answer) => this.#pty.write(answer));
    this.#pty.onExit((exit) => {
      this.#exit = exit;
    });
  }

  get pid(): number {
    return this.#pty.pid;
  }

  /** All that was sent to the terminal. */
  get bytes(): string {
    return this.#bytes;
  }

  get exit(): PtyExit | null {
    return this.#exit;
  }

  /** Since when nothing was sent. */
  get stillMs(): number {
    return performance.now() - this.#lastAt;
  }

  write(keys: string): void {
    this.#pty.write(keys);
  }

  resize(columns: number, rows: number): void {
    this.#screen.resize(columns, rows);
    this.#pty.resize(columns, rows);
  }

  kill(signal: string): void {
    this.#pty.kill(signal);
  }

  /** The rows on the screen. */
  rows(): readonly string[] {
    const { active } = this.#screen.buffer;
    return Array.from(
      { length: this.#screen.rows },
      (_, index) => active.getLine(active.baseY + index)?.translateToString(true) ?? '',
    );
  }

  /** Everything, with what has scrolled away. */
  everything(): string {
    const { active } = this.#screen.buffer;
    return Array.from(
      { length: active.length },
      (_, index) => active.getLine(index)?.translateToString(true) ?? '',
    ).join('\n');
  }

  dispose(): void {
    this.#screen.dispose();
  }
}
