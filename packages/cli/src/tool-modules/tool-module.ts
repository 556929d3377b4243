import { readFile } from 'node:fs/promises';
import { contentHash } from '@countersign/host';
import { FAILURES, ToolFailure } from '@countersign/protocol';
import type { Asked, AskedNow, AskNow, DeclaredTool, FromThread, Note, Thrown, Work } from './messages.js';
import { ToolThread } from './tool-thread.js';

/** How long a thread may not react after one of its calls was cancelled; less than the engine waits for the call. */
const REACTION_MS_MAX = 1_500;
const SENDINGS_MAX = 3; // a call that meets so many dying threads is not sent to another

/** How a call reaches the engine while it runs. */
export type CallPort = {
  readonly signal: AbortSignal;
  readonly note?: (note: Note) => void;
  readonly ask?: (asked: Asked, withdrawn: AbortSignal) => Promise<unknown>;
  readonly askNow?: (asked: AskedNow) => unknown;
};

/** What a tool returned. `whole`: it returned before it was told to stop, or never looked at its signal. */
export type Done = { readonly value: unknown; readonly whole: boolean };

type Pending = {
  readonly tool: string;
  readonly work: Work;
  readonly port: CallPort;
  readonly resolve: (done: Done) => void;
  readonly reject: (reason: Error) => void;
  sendings: number;
  hasBegun: boolean;
};

/**
 * A module with tools, in a thread that is started again after it ended. What ends the thread ends the calls that had begun in it, and
 * nothing else: calls that had not are sent to the next thread.
 */
export class ToolModule {
  readonly #file: string;
  readonly #hash: string;
  readonly #pending = new Map<number, Pending>();
  readonly #withdrawals = new Map<number, AbortController>();
  #declared: string | null = null;
  #thread: ToolThread | null = null;
  #starting: Promise<ToolThread> | null = null;
  #reaction: NodeJS.Timeout | null = null;
  #pings = 0;
  /** The tool whose call was stopped last. */
  #stopped = '';
  #calls = 0;

  private constructor(file: string, hash: string) {
    this.#file = file;
    this.#hash = hash;
  }

  /** Rejects with the reason if the module cannot be used. */
  static async load(
    file: string,
  ): Promise<{ readonly module: ToolModule; readonly tools: readonly DeclaredTool[] }> {
    const module = new ToolModule(file, contentHash(await readFile(file)));
    const tools = await module.#start();
    return { module, tools };
  }

  /** Has a tool do something. `id` receives the number by which the thread knows the call. */
  async call(tool: string, work: Work, port: CallPort, id: (id: number) => void = () => {}): Promise<Done> {
    const number = (this.#calls += 1);
    id(number);
    const aborted = () => this.#abort(number);
    try {
      return await new Promise((resolve, reject) => {
        this.#pending.set(number, { tool, work, port, resolve, reject, sendings: 0, hasBegun: false });
        port.signal.addEventListener('abort', aborted, { once: true });
        void this.#send(number);
      });
    } finally {
      port.signal.removeEventListener('abort', aborted);
      this.#pending.delete(number);
      if (this.#pending.size === 0) this.#thread?.idle();
    }
  }

  /** For functions that cannot wait; throws if there is no answer in time. */
  ask(tool: string, ask: AskNow): unknown {
    if (!this.#thread) throw new Error(`${this.#file} is being loaded again`);
    return this.#thread.ask(tool, ask);
  }

  async #send(id: number): Promise<void> {
    const pending = this.#pending.get(id);
    if (!pending) return;
    pending.sendings += 1;
    if (pending.sendings > SENDINGS_MAX)
      return pending.reject(
        new Error(`the tools of ${this.#file} end again and again; this call was not begun`),
      );
    try {
      const thread = this.#thread ?? (await this.#startAgain());
      if (pending.port.signal.aborted) return pending.reject(new Error('cancelled before it began'));
      thread.busy();
      thread.send({ type: 'call', id, tool: pending.tool, work: pending.work });
    } catch (error) {
      pending.reject(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #startAgain(): Promise<ToolThread> {
    this.#starting ??= this.#sameAgain().finally(() => {
      this.#starting = null;
    });
    return this.#starting;
  }

  /** Calls were judged as calls of the tools that were loaded first. */
  async #sameAgain(): Promise<ToolThread> {
    const changed = new Error(`${this.#file} has changed since it was loaded. Start the program again.`);
    if (contentHash(await readFile(this.#file)) !== this.#hash) throw changed;
    const before = this.#declared;
    await this.#start();
    if (this.#declared !== before) throw changed;
    if (!this.#thread) throw new Error(`${this.#file} ended immediately after it was loaded`);
    return this.#thread;
  }

  async #start(): Promise<readonly DeclaredTool[]> {
    let started: ToolThread | null = null;
    const { thread, tools } = await ToolThread.start(this.#file, {
      onMessage: (message) => this.#receive(message),
      onQuestion: (asked) => this.#pending.get(asked.id)?.port.askNow?.(asked),
      onEnd: (why) => {
        if (started !== null && this.#thread === started) this.#ended(why);
      },
    });
    started = thread;
    this.#thread = thread;
    this.#declared = JSON.stringify(tools);
    return tools;
  }

  #receive(message: FromThread): void {
    switch (message.type) {
      case 'ready':
      case 'unusable':
        return;
      case 'pong':
        return this.#reacted();
      case 'begun': {
        const pending = this.#pending.get(message.id);
        if (pending) pending.hasBegun = true;
        return;
      }
      case 'done': {
        const pending = this.#pending.get(message.id);
        if (message.ok) pending?.resolve({ value: message.value, whole: message.whole });
        else pending?.reject(errorFor(message.thrown));
        return;
      }
      case 'note':
        return this.#pending.get(message.id)?.port.note?.(message.note);
      case 'request':
        return void this.#serve(message.request, message.asked);
      case 'withdraw':
        return this.#withdrawals.get(message.request)?.abort();
    }
  }

  async #serve(request: number, asked: Asked): Promise<void> {
    const thread = this.#thread;
    const withdrawal = new AbortController();
    this.#withdrawals.set(request, withdrawal);
    try {
      const value = await this.#pending.get(asked.id)?.port.ask?.(asked, withdrawal.signal);
      thread?.send({ type: 'reply', request, ok: true, value: value ?? null });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      thread?.send({ type: 'reply', request, ok: false, thrown: { message } });
    } finally {
      this.#withdrawals.delete(request);
    }
  }

  /** A tool may take its time to stop, but a thread that does not even react is in a loop. */
  #abort(id: number): void {
    const pending = this.#pending.get(id);
    const thread = this.#thread;
    if (!pending || !thread) return;
    thread.send({ type: 'abort', id });
    thread.send({ type: 'ping' });
    this.#pings += 1;
    if (!this.#reaction) this.#expectReaction(thread, pending.tool);
  }

  #expectReaction(thread: ToolThread, tool: string): void {
    this.#reaction = setTimeout(() => {
      thread.end(`did not react for ${REACTION_MS_MAX} ms after a call of ${tool} was stopped`);
    }, REACTION_MS_MAX);
    this.#stopped = tool;
  }

  /** Each ping has a pong of its own: a thread may have begun to loop between two of them. */
  #reacted(): void {
    this.#forgetReaction();
    this.#pings -= 1;
    if (this.#pings > 0 && this.#thread) this.#expectReaction(this.#thread, this.#stopped);
  }

  #forgetReaction(): void {
    if (this.#reaction) clearTimeout(this.#reaction);
    this.#reaction = null;
  }

  #ended(why: string): void {
    this.#thread = null;
    this.#forgetReaction();
    this.#pings = 0;
    for (const withdrawal of this.#withdrawals.values()) withdrawal.abort();
    for (const [id, pending] of [...this.#pending]) {
      if (pending.hasBegun) pending.reject(new Error(endText(this.#file, why, pending.work)));
      else void this.#send(id);
    }
  }
}

const endText = (file: string, why: string, { do: what }: Work): string =>
  what === 'run' || what === 'resume'
    ? `the module ${file} ${why} while this call ran, so the call may have taken effect`
    : `the module ${file} ${why} while it was asked about this call, which has not run`;

function errorFor({ message, failure, output, notPlain }: Thrown): Error {
  if (notPlain) return new ToolFailure({ code: 'result_not_plain', problem: message });
  // A module may have its own idea of what a failure is.
  if (failure && Object.hasOwn(FAILURES, failure.code)) return new ToolFailure(failure, output ?? null);
  return new Error(message);
}
