import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type CommandFiles, type Exit, readExit } from './command-files.js';
import { type Ended, endTree, sendTo } from './end-tree.js';
import { ageOf, commandLineOf, firstChildOf, isProcessTableKnown, leftBy } from './process-table.js';

/** A command that was started here, or one that another process started and this one found again. */
export class RunningCommand {
  readonly files: CommandFiles;
  readonly startedAt: number;
  /** Its output, open for reading. */
  readonly output: number;
  /** The leader of its session, which waits for it and writes down how it ended. */
  readonly #leader: number;
  readonly #pidFile: string;
  readonly #child: ChildProcess | null;
  /** By the clock of `performance`, which does not jump when the time of day is set. */
  readonly #beganAt: number;

  constructor(of: {
    readonly files: CommandFiles;
    readonly startedAt: number;
    readonly output: number;
    readonly leader: number;
    readonly pidFile: string;
    /** null for one that was found. */
    readonly child: ChildProcess | null;
  }) {
    this.files = of.files;
    this.startedAt = of.startedAt;
    this.output = of.output;
    this.#leader = of.leader;
    this.#pidFile = of.pidFile;
    this.#child = of.child;
    const age = of.child === null ? (ageOf(of.leader) ?? Math.max(0, Date.now() - of.startedAt)) : 0;
    this.#beganAt = performance.now() - age;
  }

  /** How long ago it was begun, by whatever process. */
  get ranMs(): number {
    return performance.now() - this.#beganAt;
  }

  /** The process that a person would name: the command itself where it is known, else its leader. */
  get pid(): number {
    return this.commandPid() ?? this.#leader;
  }

  /** The shell that runs the command; null before it has started, or where the system does not show it. */
  commandPid(): number | null {
    for (let pid: number | null = this.#leader; pid !== null; pid = firstChildOf(pid)) {
      const line = commandLineOf(pid);
      // A process has no command line while it becomes another program: it may be one more supervisor in a moment.
      if (line === '') return null;
      if (!this.#supervises(line)) return pid;
    }
    return null;
  }

  /** The program may end while this one continues. */
  unref(): void {
    this.#child?.unref();
  }

  /** Called once when its leader ends; never for one that was found, which has to be looked after. */
  onLeaderEnd(listener: () => void): void {
    if (this.#child === null) return;
    if (this.isLeaderAlive()) this.#child.once('exit', listener);
    else setImmediate(listener);
  }

  isLeaderAlive(): boolean {
    if (this.#child) return this.#child.exitCode === null && this.#child.signalCode === null;
    return isProcessTableKnown() ? this.#isSupervisor(this.#leader) : sendTo(this.#leader, 0);
  }

  /** Whether a process is the leader or another supervisor of the command. An id alone may belong to another process by now. */
  #isSupervisor(pid: number): boolean {
    return this.#supervises(commandLineOf(pid));
  }

  #supervises(commandLine: string): boolean {
    return commandLine.split('\0').includes(this.#pidFile);
  }

  readExit(): Exit | null {
    return readExit(this.files);
  }

  /** After it has exited: ends what it left running. */
  async endLeftovers(): Promise<Ended> {
    const tag = tagOf(this.files.directory);
    const isOurs = this.#child !== null && isProcessTableKnown();
    const left = isOurs ? await leftBy(this.#leader, tag, this.ranMs, this.#pidFile) : null;
    return left?.length === 0 ? { count: 0, left: [] } : this.end();
  }

  /** Ends it and every process that it started. */
  async end(): Promise<Ended> {
    // The id of a leader that has ended may belong to another process, unless it was our own child a moment ago.
    const leader = this.#child !== null || this.isLeaderAlive() ? this.#leader : null;
    const tree = { tag: tagOf(this.files.directory), leader, supervisors: this.#pidFile };
    let ended = await endTree(tree);
    // A leader without a child records how the command ended, or is only about to begin it.
    const isWaitedFor = () => this.isLeaderAlive() && ended.left.length === 0;
    for (let round = 0; isWaitedFor() && round < LEADER_ROUNDS_MAX; round += 1) {
      await this.#untilLeaderEnds(LEADER_ROUND_MS);
      const { count, left } = await endTree(tree);
      ended = { count: ended.count + count, left };
    }
    if (this.isLeaderAlive()) sendTo(this.#leader, 'SIGKILL');
    return ended;
  }

  async #untilLeaderEnds(withinMs: number): Promise<void> {
    const deadline = performance.now() + withinMs;
    while (this.isLeaderAlive() && performance.now() < deadline) await delay(LOOKS_APART_MS);
  }

  /** Evidence that it has ended, where no exit code was recorded. */
  evidence(): string {
    const { exitCode = null, signalCode = null } = this.#child ?? {};
    if (signalCode !== null)
      return `process ${this.#leader}, which waited for it, was terminated by ${signalCode}`;
    return exitCode === null
      ? `process ${this.#leader}, which waited for it, is gone and left no exit code`
      : `process ${this.#leader}, which should have waited for it, could not record that it did (${this.files.directory})`;
  }

  close(): void {
    closeSync(this.output);
  }
}

const LEADER_ROUND_MS = 50;
const LEADER_ROUNDS_MAX = 10; // it needs a few milliseconds
const LOOKS_APART_MS = 5;

/** The same for every process that looks at this call, and never the same for two calls. */
export const tagOf = (directory: string): string =>
  createHash('sha256').update(directory).digest('hex').slice(0, 32);
