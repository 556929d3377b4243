import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * @import { Hands } from './hands/workload.mjs'
 * @import { Judge } from './judge/workload.mjs'
 * @import { McpCalls } from './mcp/workload.mjs'
 *
 * What is measured: the same work done by different programs. Only `batch` is
 * a must. Each function throws if the work was not really done.
 * @typedef {object} Subject
 * @property {(calls: number) => Promise<void>} batch trivial calls, all allowed
 * @property {(calls: number) => Promise<void>} [ask] trivial calls that a person is asked about and allows
 * @property {() => Promise<number>} [startBesideWaiting] ms until allowed calls have started while one waits for an answer
 * @property {(calls: number, updates: number) => Promise<number>} [live] calls that show output; gives how much of it was seen
 * @property {() => Promise<void>} [baseline] what a batch costs besides its calls, which is taken off
 * @property {() => Promise<void>} [close]
 *
 * @typedef {Exclude<keyof Subject | keyof Hands | keyof Judge | keyof McpCalls, 'close'>} Work
 * @typedef {object} SubjectModule
 * @property {string} name
 * @property {() => string} version
 * @property {(workspace: string) => Promise<Subject | Hands | Judge | McpCalls>} make
 *
 * @typedef {{ workspace?: string, nodeOptions?: readonly string[] }} Surroundings `workspace` for subjects that touch files
 *
 * @typedef {{ id: number, work: Work, args: readonly number[], times: number } | { id: number, work: 'heap' }} Order
 * @typedef {{ id: number, msEach: number, value: number | null } | { id: number, problem: string }} Reply
 * @typedef {{ ready: { name: string, version: string, can: readonly string[] } }} Ready
 */

/** A subject that hangs must not hang the benchmark. */
const REPLY_MS_MAX = 300_000;

/**
 * A subject in a process of its own, so that none has the other's garbage
 * collected or its code optimised for the other's objects.
 */
export class SubjectProcess {
  /** @type {string} */
  name = '';
  /** @type {string} */
  version = '';
  /** @type {ReadonlySet<string>} */
  #can = new Set();
  #child;
  #lastId = 0;

  /** @param {string} file @param {Surroundings} surroundings */
  constructor(file, { workspace = '', nodeOptions = [] }) {
    const host = fileURLToPath(new URL('subject-host.mjs', import.meta.url));
    this.#child = fork(host, [file, workspace], { execArgv: ['--expose-gc', ...nodeOptions] });
  }

  /**
   * @param {string} file a module, seen from this directory
   * @param {Surroundings} [surroundings]
   * @returns {Promise<SubjectProcess>}
   */
  static async start(file, surroundings = {}) {
    const subject = new SubjectProcess(file, surroundings);
    const { ready } = await subject.#reply((message) => 'ready' in message);
    subject.name = ready.name;
    subject.version = ready.version;
    subject.#can = new Set(ready.can);
    return subject;
  }

  /** @param {Work} work */
  can(work) {
    return this.#can.has(work);
  }

  /**
   * @param {Work} work
   * @param {readonly number[]} args
   * @param {number} times how often in a row, where once would be too short to measure
   */
  async measure(work, args, times = 1) {
    return this.#order({ id: ++this.#lastId, work, args, times });
  }

  /** Bytes on the heap after everything that can go has gone. */
  async heapBytes() {
    const { value } = await this.#order({ id: ++this.#lastId, work: 'heap' });
    return value ?? Number.NaN;
  }

  /** Throws if it came to a bad end, also if that was after its last reply. */
  async stop() {
    if (this.#child.connected) this.#child.disconnect();
    if (this.#child.exitCode === null) await once(this.#child, 'exit');
    if (this.#child.exitCode !== 0) throw new Error(`${this.name} ended with code ${this.#child.exitCode}`);
  }

  /** @param {Order} order */
  async #order(order) {
    this.#child.send(order);
    const reply = await this.#reply((message) => 'id' in message && message.id === order.id);
    if ('problem' in reply) throw new Error(`${this.name}: ${reply.problem}`);
    return reply;
  }

  /**
   * @param {(message: any) => boolean} isIt
   * @returns {Promise<any>}
   */
  #reply(isIt) {
    const child = this.#child;
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer);
        child.off('message', look);
        child.off('exit', died);
      };
      const look = (/** @type {unknown} */ message) => {
        if (!isIt(message)) return;
        settle();
        resolve(message);
      };
      const died = (/** @type {number | null} */ code) => {
        settle();
        reject(new Error(`${this.name || 'A subject'} ended with code ${code}`));
      };
      const timer = setTimeout(() => {
        settle();
        child.kill();
        reject(new Error(`${this.name} did not respond within ${REPLY_MS_MAX} ms`));
      }, REPLY_MS_MAX);
      child.on('message', look);
      child.on('exit', died);
    });
  }
}
