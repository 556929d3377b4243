import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import {
  bytesInWords,
  commandEnvironment,
  decodeText,
  endTree,
  guessMimeType,
  type HostEnvironment,
  isProcessTableKnown,
  leftBy,
} from '@countersign/host';

/** Where and with what a script runs. */
export type ScriptPlace = {
  readonly directory: string;
  readonly env: HostEnvironment;
  readonly pass: readonly string[];
  readonly outputBytesMax: number;
};

export type ScriptRequest = ScriptPlace & {
  /** `$1`, `$2` … of the script. */
  readonly args: readonly string[];
  readonly input: string;
  /** null: the caller limits the time. */
  readonly timeoutMs: number | null;
  readonly signal: AbortSignal;
  readonly started?: (pid: number) => void;
};

/** How a script ended, and what it had printed until then. */
export type ScriptEnd = { readonly stdout: string; readonly stderr: string } & (
  | OwnEnd
  | { readonly how: Stopped }
);
type OwnEnd =
  | { readonly how: 'exited'; readonly code: number }
  | { readonly how: 'killed'; readonly signal: string }
  | { readonly how: 'not started'; readonly message: string };
type Stopped = 'cancelled' | 'timed out' | 'printed too much';

/** Runs a shell script to its end. Whatever it started ends with it, however it ends. */
export async function runScript(script: string, request: ScriptRequest): Promise<ScriptEnd> {
  if (request.signal.aborted) return { stdout: '', stderr: '', how: 'cancelled' };
  const tag = `countersign-${randomUUID()}`;
  const startedAt = performance.now();
  const child = start(script, request, tag);
  const printed = new Printed(request.outputBytesMax, () => stop('printed too much'));
  printed.collect(child);
  let stopped: Stopped | null = null;
  let ending: Promise<unknown> = Promise.resolve();
  const stop = (why: Stopped) => {
    if (stopped !== null || child.pid === undefined) return;
    stopped = why;
    // The shell is no part of the tree, and may itself be what does not end.
    ending = endTree({ tag, leader: child.pid }).then(() => child.kill('SIGKILL'));
  };

  const cancel = () => stop('cancelled');
  const timer = request.timeoutMs === null ? null : setTimeout(() => stop('timed out'), request.timeoutMs);
  request.signal.addEventListener('abort', cancel, { once: true });
  try {
    const end = await endOf(child, request.directory);
    await ending;
    if (child.pid !== undefined) await endLeftovers(child.pid, tag, performance.now() - startedAt);
    await printed.untilClosed(child);
    return { ...printed.texts(), ...(stopped === null ? end : { how: stopped }) };
  } finally {
    if (timer !== null) clearTimeout(timer);
    request.signal.removeEventListener('abort', cancel);
  }
}

function start(
  script: string,
  { args, input, directory, env, pass, started }: ScriptRequest,
  tag: string,
): ChildProcess {
  // Another command after it keeps the shell from making room for the program: the leader of the tree is then no part
  // of the work, and exits when that has ended.
  const child = spawn('/bin/sh', ['-c', `${script}\nexit $?`, 'sh', ...args], {
    cwd: directory,
    env: commandEnvironment(env, { tag, directory, pass }),
    detached: true,
    stdio: 'pipe',
  });
  // A program need not read what it is given.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  if (child.pid !== undefined) started?.(child.pid);
  return child;
}

function endOf(child: ChildProcess, directory: string): Promise<OwnEnd> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) =>
      resolve(code === null ? { how: 'killed', signal: String(signal) } : { how: 'exited', code }),
    );
    child.on('error', ({ message }) => {
      // The system reports the same error for a missing directory and a missing shell.
      const reason = existsSync(directory) ? message : `the directory ${directory} does not exist`;
      resolve({ how: 'not started', message: reason });
    });
  });
}

async function endLeftovers(leader: number, tag: string, ranMs: number): Promise<void> {
  const isClean = isProcessTableKnown() && (await leftBy(leader, tag, ranMs)).length === 0;
  if (!isClean) await endTree({ tag, leader });
}

const CLOSING_MS_MAX = 500; // a process that still holds the other end then is out of reach

/** What a script prints, as far as it may. */
class Printed {
  readonly #chunks: { readonly stdout: Buffer[]; readonly stderr: Buffer[] } = { stdout: [], stderr: [] };
  readonly #bytesMax: number;
  readonly #onTooMuch: () => void;
  #bytes = 0;

  constructor(bytesMax: number, onTooMuch: () => void) {
    this.#bytesMax = bytesMax;
    this.#onTooMuch = onTooMuch;
  }

  collect({ stdout, stderr }: ChildProcess): void {
    stdout?.on('data', (chunk: Buffer) => this.#add(this.#chunks.stdout, chunk));
    stderr?.on('data', (chunk: Buffer) => this.#add(this.#chunks.stderr, chunk));
  }

  async untilClosed({ stdout, stderr }: ChildProcess): Promise<void> {
    const streams = [stdout, stderr].filter((stream) => stream !== null);
    const signal = AbortSignal.timeout(CLOSING_MS_MAX);
    await Promise.all(streams.map((stream) => closed(stream, signal)));
  }

  texts(): { readonly stdout: string; readonly stderr: string } {
    return { stdout: textOf(this.#chunks.stdout), stderr: textOf(this.#chunks.stderr) };
  }

  #add(chunks: Buffer[], chunk: Buffer): void {
    const room = this.#bytesMax - this.#bytes;
    this.#bytes += chunk.length;
    if (room > 0) chunks.push(chunk.subarray(0, room));
    if (chunk.length > room) this.#onTooMuch();
  }
}

async function closed(stream: Readable, signal: AbortSignal): Promise<void> {
  if (stream.closed) return;
  try {
    await once(stream, 'close', { signal });
  } catch {
    stream.destroy();
  }
}

function textOf(chunks: readonly Buffer[]): string {
  const bytes = Buffer.concat(chunks);
  const type = () => guessMimeType(bytes, '');
  return (
    decodeText(bytes)?.text ?? `[Binary output of type ${type()}, ${bytesInWords(bytes.length)}, omitted.]`
  );
}
