import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteJournal } from '@countersign/store-sqlite';
import { Running, Stuck, TOOLS } from './program.mjs';

/** @typedef {import('@countersign/protocol').Event} Event */
/** @typedef {import('@countersign/protocol').Outcome} Outcome */
/** @typedef {import('./inside/die-at.mjs').Death} Death */
/** @typedef {import('./program.mjs').Listed} Listed */
/** @typedef {{ readonly what: 'entered' | 'effect', readonly callId: string, readonly attempt: number, readonly pid: number }} Mark a line that a tool wrote into the world */

/**
 * Somebody who answered a question, and what came of it.
 * @typedef {{ readonly callId: string, readonly by: string, readonly outcome: Outcome, readonly process: Running }} Client
 */

/**
 * How things stood while no process ran.
 * @typedef {{
 *   readonly title: string,
 *   readonly listed: readonly Listed[],
 *   readonly journal: readonly Event[],
 *   readonly world: readonly Mark[],
 *   readonly spokenAbout: readonly string[],
 * }} Look
 */

const SESSION = 'round';

/** One store, one workspace, one world, and the processes that meet there. */
export class Scene {
  /** Owners and would-be owners of the session, in the order they came. @type {Running[]} */
  owners = [];
  /** @type {Client[]} */
  clients = [];
  /** @type {Look[]} */
  looks = [];
  /** How many processes died of a kill. */
  get kills() {
    return this.#processes().filter(({ exit }) => exit?.signal === 'SIGKILL').length;
  }

  #directory = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-crash-')));
  #store = join(this.#directory, 'store');
  #world = join(this.#directory, 'world.jsonl');
  #deaths = join(this.#directory, 'deaths.jsonl');
  #plan;
  workspace = join(this.#directory, 'workspace');

  constructor(/** @type {import('./round-plan.mjs').RoundPlan} */ plan) {
    this.#plan = plan;
    mkdirSync(this.workspace);
  }

  /** Hand the batch in. @param {Death | null} death */
  begin(death) {
    return this.#exec('exec', ['--session', SESSION, '--start', this.#plan.start, this.#batch()], death);
  }

  /** Take the session up again; the batch comes along only if it was never taken in. @param {Death | null} death */
  async resume(death) {
    const known = await this.#reading((journal) => journal.session(SESSION));
    if (!known) return this.begin(death);
    const isThere = (await this.journal()).some(({ type }) => type === 'call.requested');
    const batch = isThere ? [] : ['--start', this.#plan.start, this.#batch()];
    return this.#exec('exec --resume', ['--resume', SESSION, ...batch], death);
  }

  /** @param {Listed} question @param {Client['outcome']} outcome @param {string} who @param {Death | null} death */
  answer({ callId, digest }, outcome, who, death) {
    const by = `${who}-${this.clients.length + 1}`;
    const words = ['approvals', 'answer', `${SESSION}/${callId}`, outcome, '--digest', digest, '--by', by];
    const process = this.#run(
      `${by} (${outcome} for ${callId})`,
      [...words, '--json', '--tools', TOOLS],
      death,
    );
    this.clients.push({ callId, by, outcome, process });
    return process;
  }

  /** What waits, read by ourselves, which is quicker. @returns {Promise<Listed[]>} */
  async waiting() {
    const rows = await this.#reading((journal) => journal.approvals());
    return rows.map(({ callId, question }) => ({ callId, digest: question.digest }));
  }

  /** What waits, as the program tells it. @returns {Promise<Listed[]>} */
  async #list() {
    const lister = this.#run('approvals list', ['approvals', 'list', '--json'], null);
    const { code } = await lister.ended();
    if (code !== 0) throw new Stuck(`approvals list failed: ${lister.stderr}`);
    return lister.listed;
  }

  /** To be called while no process runs. @param {string} title */
  async look(title) {
    // The program first: whatever a kill left to be mended is mended by it, not by us.
    const listed = await this.#list();
    const spokenAbout = this.clients.map(({ callId }) => callId);
    this.looks.push({ title, listed, journal: await this.journal(), world: this.world(), spokenAbout });
    return listed;
  }

  /** @returns {Promise<readonly Event[]>} */
  async journal() {
    return this.#reading(async (journal) => {
      if (!(await journal.session(SESSION))) return [];
      return (await journal.read(SESSION, 0)).map(({ event }) => event);
    });
  }

  /** Rows of completed calls, as statistics count them. */
  async callRows() {
    return this.#reading((journal) => journal.calls());
  }

  /** @returns {Mark[]} */
  world() {
    return /** @type {Mark[]} */ (readLines(this.#world));
  }

  /** Kill points inside processes that were come to. @returns {Death[]} */
  deaths() {
    const lines = /** @type {{ death: Death }[]} */ (readLines(this.#deaths));
    return lines.map(({ death }) => death);
  }

  /** End what still runs. */
  async endAll() {
    for (const process of this.#processes()) await process.endNow();
  }

  /** Ends what is left, keeps or removes the files, and says where they are. @param {'keep' | 'remove'} files */
  async close(files) {
    await this.endAll();
    if (files === 'remove') rmSync(this.#directory, { recursive: true, force: true });
    return this.#directory;
  }

  #processes() {
    return [...this.owners, ...this.clients.map(({ process }) => process)];
  }

  #batch() {
    return JSON.stringify(this.#plan.calls);
  }

  /** @param {string} title @param {readonly string[]} args @param {Death | null} death */
  #exec(title, args, death) {
    const common = ['--events', '--approvals', 'wait', '--workspace', this.workspace, '--tools', TOOLS];
    const owner = this.#run(`${title} (${this.owners.length + 1})`, ['exec', ...common, ...args], death);
    this.owners.push(owner);
    return owner;
  }

  /** @param {string} title @param {readonly string[]} args @param {Death | null} death */
  #run(title, args, death) {
    const env = {
      PATH: process.env['PATH'],
      // No policy of whoever runs the test takes part.
      COUNTERSIGN_HOME: this.#directory,
      CRASH_WORLD: this.#world,
      CRASH_DEATHS: this.#deaths,
      ...(death && { CRASH_AT: JSON.stringify(death) }),
    };
    return new Running(title, [...args, '--store', this.#store], { cwd: this.#directory, env });
  }

  /** @template T @param {(journal: import('@countersign/engine').Journal) => Promise<T>} use */
  async #reading(use) {
    const journal = await sqliteJournal(join(this.#store, 'countersign.db'));
    try {
      return await use(journal);
    } finally {
      await journal.close();
    }
  }
}

/** @param {string} path @returns {unknown[]} */
function readLines(path) {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}
