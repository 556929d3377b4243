import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawn } from '@lydell/node-pty';
import { root } from '../source/files.mjs';

/**
 * @import { IPty } from '@lydell/node-pty'
 *
 * @typedef {object} Place where a program runs: a home of its own, and a folder in it
 * @property {string} home
 * @property {string} workspace
 *
 * @typedef {object} Settings
 * @property {number} [columns]
 * @property {number} [rows]
 * @property {string} [folder] the name of the folder that is worked in
 * @property {string} [store] where sessions are kept; else at the place, and removed with it
 * @property {{ readonly [name: string]: string }} [env]
 */

const PROGRAM = join(root, 'packages/cli/bin/countersign.js');
const WAIT_MS_MAX = 60_000;
const LOOK_EVERY_MS = 1;
/** What Linux counts processor time in. */
const TICKS_PER_SECOND = 100;

/** A program of Node in a pseudo-terminal, at a place of its own that is removed with it. */
export class InTerminal {
  #bytes = '';
  #isOver = false;
  #startedAt = performance.now();
  /** @type {IPty} */
  #pty;
  #directory = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-terminal-')));

  /**
   * @param {(place: Place) => readonly string[]} argsAt
   * @param {Settings} [settings]
   */
  constructor(argsAt, { columns = 80, rows = 24, folder = 'workspace', store, env = {} } = {}) {
    const place = { home: this.#directory, workspace: join(this.#directory, folder) };
    mkdirSync(place.workspace);
    const args = [...argsAt(place)];
    this.#startedAt = performance.now();
    this.#pty = spawn(process.execPath, args, {
      cols: columns,
      rows,
      cwd: place.workspace,
      name: 'xterm-256color',
      env: {
        PATH: process.env.PATH,
        HOME: place.home,
        COUNTERSIGN_HOME: store ?? join(place.home, '.countersign'),
        USER: 'somebody',
        LANG: 'C.UTF-8',
        ...env,
      },
    });
    this.#pty.onData((data) => {
      this.#bytes += data;
    });
    this.#pty.onExit(() => {
      this.#isOver = true;
    });
  }

  /**
   * The program with a model that gives these answers.
   * @param {readonly (readonly object[])[]} answers the parts of each
   * @param {readonly string[]} args
   * @param {Settings & { readonly prepare?: (place: Place) => void }} [settings]
   */
  static program(answers, args, { prepare = () => {}, ...settings } = {}) {
    return new InTerminal((place) => {
      prepare(place);
      const file = join(place.home, 'answers.jsonl');
      writeFileSync(file, answers.map((parts) => `${JSON.stringify(recorded(parts))}\n`).join(''));
      return [PROGRAM, '--fake-responses', file, ...args];
    }, settings);
  }

  /** All that was sent to the terminal. */
  get bytes() {
    return this.#bytes;
  }

  /** @param {string} keys */
  type(keys) {
    this.#pty.write(keys);
  }

  /** @param {(bytes: string) => boolean} isThere @returns {Promise<number>} milliseconds since the start */
  async until(isThere) {
    const giveUpAt = performance.now() + WAIT_MS_MAX;
    while (!isThere(this.#bytes)) {
      if (this.#isOver || performance.now() > giveUpAt)
        throw new Error(`What was waited for did not come:\n${this.#bytes.slice(-2_000)}`);
      await sleep(LOOK_EVERY_MS);
    }
    return performance.now() - this.#startedAt;
  }

  /** Processor time of the program itself so far, in seconds; NaN where the system does not tell. */
  cpuSeconds() {
    if (process.platform !== 'linux') return Number.NaN;
    const [, , , , , , , , , , , user, system] = readFileSync(`/proc/${this.#pty.pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return (Number(user) + Number(system)) / TICKS_PER_SECOND;
  }

  async close() {
    if (!this.#isOver) this.#pty.kill('SIGTERM');
    await this.until(() => this.#isOver).catch(() => {});
    if (!this.#isOver) this.#pty.kill('SIGKILL');
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

const recorded = (/** @type {readonly object[]} */ parts) => ({
  method: 'generateContentStream',
  response: [
    {
      candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 5_210, candidatesTokenCount: 183 },
    },
  ],
});
