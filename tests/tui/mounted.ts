import { PassThrough } from 'node:stream';
import type { SessionShell } from '@countersign/engine';
import { type AgentPort, AgentStream, SessionStore } from '@countersign/react';
import { type RunningTerminal, startTerminal, type TerminalPorts } from '@countersign/tui';
import xterm from '@xterm/headless';

const WAIT_MS = 30_000;

export type Size = { readonly columns: number; readonly rows: number };

/** The real screen on a real session, in this process, drawn by a terminal. */
export class Mounted {
  readonly stream: AgentStream;
  readonly #keys = new PassThrough();
  readonly #terminal: InstanceType<typeof xterm.Terminal>;
  readonly #running: RunningTerminal;
  readonly #stop = new AbortController();
  #bytes = '';
  #frames = 0;

  /** `takes`: whether the terminal takes what is written to it. */
  constructor(
    session: SessionShell,
    { columns, rows }: Size,
    agent: AgentPort | null = null,
    takes: (chunk: string) => boolean = () => true,
  ) {
    this.#terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 5_000, allowProposedApi: true });
    const store = new SessionStore(session);
    this.stream = new AgentStream(store, agent, 'tester');
    void store.follow(this.#stop.signal);
    const write = (chunk: string, done: (error?: Error) => void = () => {}) => {
      if (!takes(chunk)) {
        queueMicrotask(() => done(new Error('EIO')));
        return true;
      }
      this.#bytes += chunk;
      if (chunk.includes('\u001b[?2026h')) this.#frames++;
      // A terminal in its usual mode goes to the first column with a line feed.
      this.#terminal.write(chunk.replaceAll('\n', '\r\n'));
      queueMicrotask(() => done());
      return true;
    };
    const stdout = Object.assign(new PassThrough(), { isTTY: true, columns, rows, write });
    const stdin = Object.assign(this.#keys, { isTTY: true, setRawMode: () => this.#keys });
    const ports: TerminalPorts = {
      store,
      stream: this.stream,
      by: 'tester',
      place: '/w',
      model: () => (agent ? 'scripted' : null),
      noModel: 'There is no model.',
      spending: () => ({ tokens: 0, dollars: null }),
      history: { entries: [], add: () => {} },
      listFiles: () => Promise.resolve([]),
      editCall: () => Promise.resolve({ ok: false, problem: 'there is no editor' }),
      elsewhere: {
        list: () => Promise.resolve([]),
        watch: () => () => {},
        answer: () => Promise.reject(new Error('nowhere')),
      },
      commands: [],
      prompts: { list: () => [], say: () => Promise.resolve({ type: 'unknown' }) },
      openNext: () => Promise.resolve('There is one session here.'),
    };
    this.#running = startTerminal({
      // What a terminal of Node has beyond a stream is not used here.
      stdin: stdin as unknown as NodeJS.ReadStream,
      stdout: stdout as unknown as NodeJS.WriteStream,
      env: { COUNTERSIGN_THEME: 'dark' },
      ports,
      greeting: [],
    });
  }

  get bytes(): string {
    return this.#bytes;
  }

  get frames(): number {
    return this.#frames;
  }

  press(keys: string): void {
    this.#keys.write(keys);
  }

  rows(): readonly string[] {
    const { active } = this.#terminal.buffer;
    return Array.from(
      { length: this.#terminal.rows },
      (_, index) => active.getLine(active.baseY + index)?.translateToString(true) ?? '',
    );
  }

  async shows(isThere: (screen: string) => boolean): Promise<string> {
    const giveUpAt = performance.now() + WAIT_MS;
    for (;;) {
      await new Promise<void>((resolve) => this.#terminal.write('', resolve));
      const screen = this.rows().join('\n');
      if (isThere(screen)) return screen;
      if (performance.now() > giveUpAt) throw new Error(`It did not come. The screen:\n${screen}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  close(): void {
    this.#running.close();
    this.#stop.abort();
    this.#terminal.dispose();
  }
}
