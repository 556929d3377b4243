import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '@countersign/server/client';

import { PROGRAM } from '../cli/program.js';

import { until } from './serving.js';

/** `countersign serve` as a process of its own, with a home and a workspace of its own. */
export class Served {
  /** The file that Node is started with. */
  program = PROGRAM;
  readonly directory = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-serve-')));
  readonly home = join(this.directory, 'home');
  readonly workspace = join(this.directory, 'workspace');
  readonly #temporary = join(this.directory, 'tmp');
  #child: ChildProcess | null = null;
  /** Set besides, from the next start on. */
  environment: { readonly [name: string]: string } = {};
  stdout = '';
  stderr = '';

  constructor() {
    mkdirSync(this.workspace);
    mkdirSync(this.#temporary);
  }

  /** Starts it, and waits until it has printed its address. */
  async start(...args: readonly string[]): Promise<void> {
    this.begin(...args);
    await until(async () => this.stdout.includes('#pair='));
  }

  /** Another run of the program, by the same person, to its end. */
  run(...args: readonly string[]): {
    readonly code: number | null;
    readonly stdout: string;
    readonly stderr: string;
  } {
    const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], {
      cwd: this.workspace,
      env: this.#env(),
      encoding: 'utf8',
    });
    return { code: status, stdout, stderr };
  }

  /** Another run of the program, by the same person, which goes on beside the server. */
  spawn(...args: readonly string[]): ChildProcess {
    return spawn(process.execPath, [PROGRAM, ...args], {
      cwd: this.workspace,
      env: this.#env(),
      stdio: 'ignore',
    });
  }

  begin(...args: readonly string[]): void {
    this.stdout = '';
    this.stderr = '';
    const child = spawn(process.execPath, [this.program, 'serve', ...args], {
      cwd: this.workspace,
      env: this.#env(),
      stdio: 'pipe',
    });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.#child = child;
  }

  #env(): NodeJS.ProcessEnv {
    return {
      PATH: process.env['PATH'],
      HOME: this.directory,
      USER: 'tester',
      COUNTERSIGN_HOME: this.home,
      TMPDIR: this.#temporary,
      // Nobody's model, unless a test sets one up.
      OLLAMA_HOST: '127.0.0.1:9',
      ...this.environment,
    };
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  get url(): string {
    return this.stdout.split('/#')[0] ?? '';
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  get token(): string {
    const { tokens } = JSON.parse(readFileSync(this.tokensPath, 'utf8'));
    return tokens[0].token;
  }

  get tokensPath(): string {
    return join(this.home, 'server-tokens.json');
  }

  get client(): Client {
    return createClient({ url: this.url, token: this.token });
  }

  /** Its exit code; null if a signal ended it. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    this.#child?.kill(signal);
    return this.ended();
  }

  async ended(): Promise<number | null> {
    const child = this.#child;
    if (!child) return null;
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
    this.#child = null;
    return child.exitCode;
  }

  async close(): Promise<void> {
    await this.end('SIGKILL');
    rmSync(this.directory, { recursive: true, force: true });
  }
}
