import { PassThrough } from 'node:stream';
import { followSession, updateChannel } from '@countersign/client';
import type { Confirmation, SettledCall } from '@countersign/protocol';
import { openTestSession, run, testTool } from '@countersign/testkit';
import xterm from '@xterm/headless';
import type { Io } from '../../packages/cli/src/io/io.js';
import { openTerminal } from '../../packages/cli/src/terminal/approval-channel.js';

const COLUMNS = 80;
const ROWS = 24;
/** Enough for the whole of the longest text of the corpus. */
const SCROLLED_ROWS_MAX = 50_000;
const WAIT_MS = 30_000;

/** What a person sees, as a terminal draws it. */
export type Seen = {
  /** The rows on the screen. */
  readonly screen: readonly string[];
  /** And those that have scrolled away before them. */
  readonly everything: readonly string[];
};

/** A question of a real session in the real dialog, drawn by a terminal of 80 × 24. */
export class Dialog {
  readonly #keys = new PassThrough();
  readonly #terminal = new xterm.Terminal({
    cols: COLUMNS,
    rows: ROWS,
    scrollback: SCROLLED_ROWS_MAX,
    allowProposedApi: true,
  });
  #bytes = '';
  #settled: Promise<readonly SettledCall[]> = Promise.resolve([]);

  /** All that was sent to the terminal. */
  get bytes(): string {
    return this.#bytes;
  }

  /** Asks, and waits until the dialog waits for a key. */
  async ask(title: string, confirmation: Confirmation): Promise<Seen> {
    const tool = testTool({
      name: 'shown',
      kind: 'execute',
      plan: () => ({ title, confirmation, byDefault: 'ask_user' }),
    });
    const { session, tools } = await openTestSession([tool]);
    const approver = openTerminal(session, { tools }, this.#io());
    const stop = new AbortController();
    const following = followSession(session, stop.signal, {
      onQuestion: (change) => updateChannel(approver, change),
    });
    this.#settled = run(session, [{ callId: 'c', name: 'shown' }]).then(async (calls) => {
      approver.close();
      stop.abort();
      await following;
      await session.dispose();
      return calls;
    });
    return this.seen();
  }

  /** Types a line, and looks at what comes of it. */
  async type(line: string): Promise<Seen> {
    this.#bytes = '';
    this.#keys.write(`${line}\r`);
    return this.seen();
  }

  /** Types the last line, and hands back what became of the call. */
  async end(line: string): Promise<SettledCall | undefined> {
    this.#keys.write(`${line}\r`);
    return (await this.#settled)[0];
  }

  async seen(): Promise<Seen> {
    const giveUpAt = performance.now() + WAIT_MS;
    const isWaiting = () => /> (\u001b\[\d*[A-Z])*$/.test(this.#bytes);
    while (!isWaiting()) {
      if (performance.now() > giveUpAt) throw new Error(`No question was asked. So far:\n${this.#bytes}`);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await new Promise<void>((resolve) => this.#terminal.write('', resolve));
    const { buffer } = this.#terminal;
    const rows = Array.from({ length: buffer.active.length }, (_, index) => {
      return buffer.active.getLine(index)?.translateToString(true) ?? '';
    });
    return { screen: rows.slice(buffer.active.baseY), everything: rows };
  }

  #io(): Io {
    const write = (text: string) => {
      this.#bytes += text;
      // A terminal in its usual mode goes to the first column with a line feed.
      this.#terminal.write(text.replaceAll('\n', '\r\n'));
    };
    const screen = Object.assign(new PassThrough(), { isTTY: true, columns: COLUMNS, rows: ROWS });
    screen.setEncoding('utf8').on('data', write);
    return {
      stdin: Object.assign(this.#keys, { isTTY: true }),
      stdout: new PassThrough(),
      stderr: screen,
      env: { USER: 'tester' },
      cwd: '/',
      onInterrupt: () => () => {},
      interrupt: () => {},
      ignoreInterrupts: () => () => {},
    };
  }
}
