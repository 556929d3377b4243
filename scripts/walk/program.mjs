// The program, built file by file, at work in a place of its own and recorded.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {{ name: string, at: number }} Entry one function that was entered, and when, in ms since 1970 */

const RECORD = new URL('record.mjs', import.meta.url).href;
/** A run that takes longer has gone wrong. */
const RUN_MS_MAX = 60_000;

/** A workspace, a store and a home that nobody else has. */
export class Place {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-walk-')));
  home = join(this.directory, 'home');
  workspace = join(this.directory, 'workspace');
  #runs = 0;

  constructor(/** @type {string} */ root) {
    this.root = root;
    for (const name of ['workspace', 'tmp', 'user']) mkdirSync(join(this.directory, name));
  }

  start(/** @type {string[]} */ args, /** @type {Record<string, string>} */ env = {}) {
    const out = join(this.directory, `entered-${this.#runs++}.json`);
    const main = join(this.root, 'packages/cli/dist/main.js');
    const child = spawn(process.execPath, ['--import', RECORD, main, ...args], {
      cwd: this.workspace,
      env: {
        PATH: process.env['PATH'],
        LANG: 'C.UTF-8',
        USER: 'walker',
        HOME: join(this.directory, 'user'),
        TMPDIR: join(this.directory, 'tmp'),
        COUNTERSIGN_HOME: this.home,
        OLLAMA_HOST: '127.0.0.1:9',
        WALK_ROOT: this.root,
        WALK_OUT: out,
        ...env,
      },
    });
    return new Run(child, out);
  }

  /** Runs the program to its end. @returns {Promise<Entry[]>} */
  async run(/** @type {string[]} */ args) {
    const run = this.start(args);
    run.child.stdin.end();
    return run.ended();
  }

  close() {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

class Run {
  printed = '';

  /**
   * @param {import('node:child_process').ChildProcessWithoutNullStreams} child
   * @param {string} out
   */
  constructor(child, out) {
    this.child = child;
    this.out = out;
    this.exit = once(child, 'close');
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        this.printed += text;
      });
    }
  }

  /** Waits until the program has printed something that matches. */
  async until(/** @type {RegExp} */ pattern) {
    const deadline = Date.now() + RUN_MS_MAX;
    while (!pattern.test(this.printed)) {
      if (Date.now() > deadline || this.child.exitCode !== null)
        throw new Error(`The program did not print ${pattern}, but:\n${this.printed}`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  /** @returns {Promise<Entry[]>} */
  async ended() {
    const timer = setTimeout(() => this.child.kill('SIGKILL'), RUN_MS_MAX);
    await this.exit;
    clearTimeout(timer);
    const entered = JSON.parse(readFileSync(this.out, 'utf8'));
    return entered.map((/** @type {[string, number]} */ [name, at]) => ({ name, at }));
  }
}

export const here = fileURLToPath(new URL('../..', import.meta.url));
