import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { commandEnvironment, endTree, type HostEnvironment, sendTo } from '@countersign/host';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { MessageLines } from './message-lines.js';
import { answerTooLong, looksLikeMessage, readMessages } from './read-message.js';
import { TextTail } from './text-tail.js';

export type ServerProgram = {
  readonly command: string;
  readonly args: readonly string[];
  /** What the settings give it, over the host's environment without its secrets. */
  readonly env: { readonly [name: string]: string };
  readonly directory: string;
};

const STDERR_CHARS_MAX = 8_000; // what a person looks at to see what went wrong
const LEAVING_MS = 300; // most servers end by themselves once their input has ended
const GRACE_MS = 2_000; // then as for every other process
const BROKEN_MESSAGES_MAX = 1_000; // a server that sends so many has nothing to say
const LAST_WORDS_MS = 200; // what a process wrote before it ended has arrived by then

/**
 * A server that is a process of ours: in a group of its own, ended with all
 * that it started. Whatever it prints is drained, and none of it is held beyond
 * a limit.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #program: ServerProgram;
  readonly #host: HostEnvironment;
  readonly #bytesMax: number;
  readonly #tag = `countersign-${randomUUID()}`;
  readonly #stderr = new TextTail(STDERR_CHARS_MAX);
  #child: ChildProcess | null = null;
  #ending: Promise<void> | null = null;
  #ended: string | null = null;
  #strayLines = 0;
  #brokenMessages = 0;

  constructor(program: ServerProgram, host: HostEnvironment, bytesMax: number) {
    this.#program = program;
    this.#host = host;
    this.#bytesMax = bytesMax;
  }

  /** The end of what it printed for people. */
  get stderr(): string {
    return this.#stderr.text;
  }

  /** How it ended by itself, to continue after "it"; null while it runs, and if it was stopped from here. */
  get ended(): string | null {
    return this.#ended;
  }

  /** Lines it printed that are no message. */
  get strayLines(): number {
    return this.#strayLines;
  }

  async start(): Promise<void> {
    const { command, args, directory, env } = this.#program;
    const child = spawn(command, args, {
      cwd: directory,
      env: { ...commandEnvironment(this.#host, { tag: this.#tag, directory, pass: [] }), ...env },
      detached: true,
      stdio: 'pipe',
    });
    this.#child = child;
    this.#listen(child);
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', ({ message }) => {
        // The system says the same of a missing directory and a missing program.
        this.#ended = existsSync(directory)
          ? `could not be started: ${message}`
          : `could not be started: the directory ${directory} does not exist`;
        reject(new Error(this.#ended));
      });
    });
    if (child.pid !== undefined) running.add(child.pid);
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin?.writable || this.#ending) return Promise.reject(new Error('Not connected'));
    // Nothing waits until it is read: a server that reads nothing is stopped by the time limits.
    stdin.write(`${JSON.stringify(message)}\n`);
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  #listen({ stdin, stdout, stderr }: ChildProcess): void {
    const child = this.#child;
    const lines = new MessageLines(
      this.#bytesMax,
      (line) => this.#read(line),
      (beginning, end) => this.#tooLong(beginning, end),
    );
    stdout?.on('data', (chunk: Buffer) => lines.push(chunk));
    stderr?.on('data', (chunk: Buffer) => this.#stderr.add(String(chunk)));
    for (const stream of [stdin, stdout, stderr]) stream?.on('error', (error) => this.onerror?.(error));
    // Most often it is about to end, and how it ends says more.
    stdout?.once('end', () => void delay(LAST_WORDS_MS).then(() => this.#lost('closed its output')));
    child?.once('exit', (code, signal) => {
      if (this.#ending) return;
      this.#ended ??= code === null ? `was terminated by ${signal}` : `ended with exit code ${code}`;
      if (stdout?.readableEnded) this.#lost(this.#ended);
      // Another process may hold the pipe open, and what it wrote last may still be in there.
      else void delay(LAST_WORDS_MS, this.#ended).then((how) => this.#lost(how));
    });
  }

  #read(line: string): void {
    if (this.#ending) return;
    const messages = looksLikeMessage(line) ? readMessages(line) : [];
    for (const message of messages) this.onmessage?.(message);
    if (messages.length > 0 || line.trim() === '') return;
    this.#strayLines += 1;
    // To look into them costs far more than to print them.
    if (looksLikeMessage(line) && ++this.#brokenMessages > BROKEN_MESSAGES_MAX)
      this.#lost(`sent more than ${BROKEN_MESSAGES_MAX} broken messages`);
  }

  #tooLong(beginning: string, end: string): void {
    const answer = answerTooLong(beginning, end, this.#bytesMax);
    if (answer) this.onmessage?.(answer);
    else this.#strayLines += 1;
  }

  /** A process that cannot be read any more is stopped. */
  #lost(how: string): void {
    this.#ended ??= how;
    void this.close();
  }

  async #end(): Promise<void> {
    const child = this.#child;
    const pid = child?.pid;
    this.onclose?.();
    if (!child || pid === undefined) return;
    const isOver = () => child.exitCode !== null || child.signalCode !== null;
    child.stdin?.end();
    if (!isOver()) await within(LEAVING_MS, once(child, 'exit'));
    if (!isOver()) child.kill('SIGTERM');
    await Promise.all([
      endTree({ tag: this.#tag, leader: pid }),
      isOver() ? null : within(GRACE_MS, once(child, 'exit')),
    ]);
    if (!isOver()) {
      child.kill('SIGKILL');
      await within(GRACE_MS, once(child, 'exit'));
    }
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
    running.delete(pid);
  }
}

/** Servers there are, so that none outlives a program that ends without closing them. */
const running = new Set<number>();
process.once('exit', () => {
  for (const pid of running) sendTo(-pid, 'SIGKILL');
});

async function within(ms: number, done: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  await Promise.race([done, delay(ms, undefined, { signal: timer.signal }).catch(() => undefined)]);
  timer.abort();
}
