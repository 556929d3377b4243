import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {import('./inside/die-at.mjs').Death} Death */
/** @typedef {import('@countersign/protocol').Event} Event */
/** @typedef {{ readonly seq: number, readonly event: Event }} Told an event as a process printed it */
/** @typedef {{ readonly callId: string, readonly status: string, readonly error?: { readonly type: string, readonly message: string } }} ResultLine */
/** @typedef {{ readonly callId: string, readonly digest: string }} Listed a question as `approvals list` shows it */
/** @typedef {{ readonly code: number | null, readonly signal: NodeJS.Signals | null }} Exit */

const root = fileURLToPath(new URL('../../', import.meta.url));
const PROGRAM = join(root, 'packages/cli/bin/countersign.js');
const BUNDLE = join(root, 'packages/cli/dist/countersign.cjs');
const IN_MAIN_THREAD = new URL('inside/in-main-thread.mjs', import.meta.url).href;
export const TOOLS = fileURLToPath(new URL('inside/world-tools.mjs', import.meta.url));

/**
 * A whole round takes about three seconds. On a machine that others keep busy it may take much
 * longer, and that is no fault: only what never comes is to be found.
 */
const WAIT_MS_MAX = 60_000;

/** The round cannot continue: something that should have happened long ago did not. */
export class Stuck extends Error {}

/** One process of the real program, from its start to its end. */
export class Running {
  /** @type {Told[]} */
  told = [];
  /** @type {ResultLine[]} */
  results = [];
  /** @type {Listed[]} */
  listed = [];
  /** @type {{ readonly ok: boolean, readonly error?: { readonly type: string, readonly message: string } } | null} */
  ack = null;
  stderr = '';
  /** @type {Exit | null} */
  exit = null;
  #child;
  #unread = '';
  /** @type {Set<() => void>} */
  #waiters = new Set();
  /** @type {Map<string, () => void>} */
  #onText = new Map();

  /**
   * @param {string} title
   * @param {readonly string[]} args
   * @param {{ cwd: string, env: NodeJS.ProcessEnv }} surroundings
   */
  constructor(title, args, { cwd, env }) {
    if (!existsSync(BUNDLE)) throw new Error(`${BUNDLE} is missing. Build it first: node scripts/ready.mjs`);
    this.title = title;
    this.#child = spawn(process.execPath, ['--import', IN_MAIN_THREAD, PROGRAM, ...args], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.stdout.setEncoding('utf8').on('data', (chunk) => this.#read(chunk));
    this.#child.stderr.setEncoding('utf8').on('data', (chunk) => {
      this.stderr += chunk;
      this.#changed();
    });
    this.#child.on('close', (code, signal) => {
      this.exit = { code, signal };
      this.#changed();
    });
  }

  get pid() {
    return this.#child.pid;
  }

  kill() {
    if (!this.exit) this.#child.kill('SIGKILL');
  }

  /** Calls back once, when a line with this text is printed. */
  onText(/** @type {string} */ text, /** @type {() => void} */ act) {
    this.#onText.set(text, act);
  }

  /** @param {string} what @param {() => boolean} condition */
  async until(what, condition) {
    const giveUpAt = performance.now() + WAIT_MS_MAX;
    while (!condition()) {
      const leftMs = giveUpAt - performance.now();
      if (leftMs <= 0) throw new Stuck(`${this.title}: waited in vain until ${what}. ${this.stderr.trim()}`);
      await this.#nextChange(leftMs);
    }
  }

  /** @returns {Promise<Exit>} */
  async ended() {
    await this.until('it ends', () => this.exit !== null);
    return this.exit ?? { code: null, signal: null };
  }

  /** Kill it if it still runs; what is killed always ends. */
  async endNow() {
    this.kill();
    while (!this.exit) await this.#nextChange(1_000);
  }

  #read(/** @type {string} */ chunk) {
    const lines = (this.#unread + chunk).split('\n');
    this.#unread = lines.pop() ?? '';
    for (const line of lines) this.#take(line);
    this.#changed();
  }

  #take(/** @type {string} */ line) {
    const value = JSON.parse(line);
    if (value.type === 'event') this.told.push({ seq: value.seq, event: value.event });
    else if (value.type === 'ack') this.ack = value;
    else if (value.question) this.listed.push({ callId: value.callId, digest: value.question.digest });
    else this.results.push(value);
    for (const [text, act] of this.#onText) {
      if (!line.includes(text)) continue;
      this.#onText.delete(text);
      act();
    }
  }

  /** @param {number} withinMs @returns {Promise<void>} */
  #nextChange(withinMs) {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#waiters.delete(done);
        resolve();
      };
      const timer = setTimeout(done, withinMs);
      this.#waiters.add(done);
    });
  }

  #changed() {
    for (const wake of [...this.#waiters]) wake();
  }
}
