import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../packages/cli/bin/countersign.js', import.meta.url));
const PROBE = fileURLToPath(new URL('memory-probe.mjs', import.meta.url));
/** Each may have 64 streams, and make 200 requests a second: the limits are those that users have. */
const NAMES = 20;

/** `countersign serve` as its users have it, with a store on disk, in a place made for it. */
export class Served {
  /** @type {readonly string[]} */
  tokens = Array.from({ length: NAMES }, (_, index) => `csgn_token-for-load-tests-${index}`);
  #directory = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-bench-server-')));
  #child;
  #requests = 0;
  url = '';

  constructor() {
    const workspace = join(this.#directory, 'workspace');
    const home = join(this.#directory, 'home');
    for (const directory of [workspace, join(workspace, 'small'), home]) mkdirSync(directory);
    writeFileSync(join(workspace, 'small/readme.txt'), 'A few words.\n');
    const tokens = this.tokens.map((token, index) => ({ name: `name-${index}`, token }));
    writeFileSync(join(home, 'server-tokens.json'), JSON.stringify({ tokens }), { mode: 0o600 });
    this.#child = spawn(
      process.execPath,
      ['--expose-gc', '--import', PROBE, PROGRAM, 'serve', '--port', '0'],
      {
        cwd: workspace,
        env: { PATH: process.env['PATH'], HOME: this.#directory, COUNTERSIGN_HOME: home },
        stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
      },
    );
  }

  static async start() {
    const served = new Served();
    const { stdout } = served.#child;
    if (!stdout) throw new Error('a program without output');
    for await (const line of createInterface(stdout)) {
      served.url = line.split('/#')[0] ?? '';
      return served;
    }
    throw new Error('countersign serve ended before it began');
  }

  /** @param {string} method @param {string} path @param {object} [body] @returns {Promise<any>} */
  async ask(method, path, body) {
    const token = this.tokens[this.#requests++ % NAMES];
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  }

  /** After all garbage is gone. @returns {Promise<{ heapBytes: number, residentBytes: number }>} */
  async memory() {
    const answered = once(this.#child, 'message');
    this.#child.send('memory');
    return (await answered)[0];
  }

  async stop() {
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
