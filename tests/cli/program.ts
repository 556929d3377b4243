import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test as plainTest } from 'vitest';
import { root } from '../../scripts/source/files.mjs';

export const PROGRAM = join(root, 'packages/cli/bin/countersign.js');
/** Tools that only tests need: see there. */
export const TEST_TOOLS = join(root, 'tests/cli/test-tools.mjs');

/** One line of the program's output, which is JSON. */
export type Line = { readonly [field: string]: unknown };

export type Ran = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output, every line of it read as JSON. */
  readonly lines: readonly Line[];
};

export type RunOptions = {
  readonly stdin?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly uid?: number;
};

/** Longer than anything here takes on a busy machine; a test that waits for more has failed. */
const WAIT_MS = 40_000;
const LOOK_EVERY_MS = 4;

/** A workspace, a store and a home of its own, and the program at work there. */
export class Place {
  readonly directory = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-cli-')));
  readonly workspace = join(this.directory, 'workspace');
  readonly home = join(this.directory, 'home');
  readonly #running = new Set<Running>();

  constructor() {
    for (const name of ['workspace', 'tmp', 'user']) mkdirSync(join(this.directory, name));
  }

  /** Paths here are from the workspace. */
  write(path: string, content: string): void {
    const full = join(this.workspace, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, content);
  }

  read = (path: string): string => readFileSync(join(this.workspace, path), 'utf8');
  has = (path: string): boolean => existsSync(join(this.workspace, path));

  /** Run the program to its end. */
  async run(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
    const running = this.start(args, options);
    running.end(options.stdin ?? '');
    return running.ended();
  }

  /** Start the program and talk to it. */
  start(args: readonly string[], options: RunOptions = {}): Running {
    const { cwd = this.workspace, uid } = options;
    const env = { ...this.environment, ...options.env };
    const running = new Running(
      spawn(process.execPath, [PROGRAM, ...args], { cwd, env, ...(uid !== undefined && { uid, gid: uid }) }),
    );
    this.#running.add(running);
    return running;
  }

  get environment(): NodeJS.ProcessEnv {
    return {
      PATH: process.env['PATH'],
      LANG: 'C.UTF-8',
      USER: 'tester',
      HOME: join(this.directory, 'user'),
      TMPDIR: join(this.directory, 'tmp'),
      COUNTERSIGN_HOME: this.home,
    };
  }

  async close(): Promise<void> {
    for (const running of this.#running) {
      running.signal('SIGKILL');
      await running.ended();
    }
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** The program while it runs. */
export class Running {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #exit: Promise<Pick<Ran, 'code' | 'signal'>>;
  #stdout = '';
  #stderr = '';
  #over = false;

  constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
    });
    // The program may well end before it has read all we have to say.
    child.stdin.on('error', () => {});
    this.#exit = new Promise((resolve) => {
      child.on('close', (code, signal) => {
        this.#over = true;
        resolve({ code, signal });
      });
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get lines(): readonly Line[] {
    return this.#stdout
      .split('\n')
      .slice(0, -1)
      .map((text) => JSON.parse(text));
  }

  say(value: unknown): void {
    this.#child.stdin.write(`${JSON.stringify(value)}\n`);
  }

  end(text = ''): void {
    this.#child.stdin.end(text);
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Answer a question as it was put. */
  answer(approval: Line, outcome: string, more: Line = {}): void {
    const { id, digest } = approval;
    this.say({ type: 'answer', id, digest, outcome, ...more });
  }

  /** The first line from the `from`th on that has all of this; waits for it. */
  async line(wanted: Line, from = 0): Promise<Line> {
    const matches = (line: Line) => Object.entries(wanted).every(([field, value]) => line[field] === value);
    const find = () => this.lines.slice(from).find(matches);
    await this.#until(() => find() !== undefined, `a line with ${JSON.stringify(wanted)}`);
    return find() ?? {};
  }

  approval = (id: string, from = 0): Promise<Line> => this.line({ type: 'approval', id }, from);

  /** The first that its output has of this; waits for it. */
  async text(wanted: RegExp): Promise<string> {
    await this.#until(() => wanted.test(this.#stdout), `${wanted} on standard output`);
    return wanted.exec(this.#stdout)?.[0] ?? '';
  }

  async told(text: string): Promise<void> {
    await this.#until(() => this.#stderr.includes(text), `"${text}" on standard error`);
  }

  async ended(): Promise<Ran> {
    await this.#until(() => this.#over, 'its end');
    const exit = await this.#exit;
    const [stdout, stderr] = [this.#stdout, this.#stderr];
    // Not every command writes JSON; who looks at lines of one that does not is told so.
    const read = () => this.lines;
    return {
      ...exit,
      stdout,
      stderr,
      get lines() {
        return read();
      },
    };
  }

  async #until(condition: () => boolean, what: string): Promise<void> {
    const giveUpAt = performance.now() + WAIT_MS;
    while (!condition()) {
      if (this.#over || performance.now() > giveUpAt) {
        const fate = this.#over ? 'it ended' : `${WAIT_MS} ms passed`;
        throw new Error(`Waited for ${what}, but ${fate}.\nstdout: ${this.#stdout}\nstderr: ${this.#stderr}`);
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }
}

/** A test with a place of its own, which is gone afterwards. */
export const test = plainTest.extend<{ place: Place }>({
  place: async ({ onTestFinished }, use) => {
    const place = new Place();
    onTestFinished(() => place.close());
    await use(place);
  },
});

export const readCall = (path: string, id?: string): Line => ({
  ...(id !== undefined && { id }),
  name: 'read_file',
  args: { file_path: path },
});

export const writeCall = (path: string, content: string, id?: string): Line => ({
  ...(id !== undefined && { id }),
  name: 'write_file',
  args: { file_path: path, content },
});

export const asLines = (...values: readonly unknown[]): string =>
  values.map((value) => `${typeof value === 'string' ? value : JSON.stringify(value)}\n`).join('');

/** What is wrong, as a result line has it. */
export const errorOf = (line: Line | undefined) =>
  (line?.['error'] ?? {}) as { readonly type?: string; readonly message?: string; readonly hint?: string };
