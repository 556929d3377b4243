import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import type { HookFailure } from '../hook/hook.js';
import { endGroup, endLeftovers } from './end-group.js';
import { Printed } from './printed.js';

export type HookProcessOptions = {
  readonly command: string;
  readonly directory: string;
  readonly environment: { readonly [name: string]: string };
  readonly input: string;
  readonly timeoutMs: number;
  /** Since when its time runs: what had to be done before it could start is part of it. */
  readonly begunAt: number;
  readonly signal: AbortSignal;
  /** Called if it did not end by itself. */
  readonly stopped: () => void;
};

export type Ended = {
  readonly end: ProcessEnd;
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly leftRunning: boolean;
};

export type ProcessEnd =
  | {
      readonly type: 'exited';
      readonly code: number;
      /** No process holds its output open: nothing can follow. */
      readonly isAllRead: boolean;
    }
  | { readonly type: 'failed'; readonly failure: HookFailure };

const STDOUT_BYTES_MAX = 8_388_608; // a request to a model with a long conversation in it

/**
 * Runs a shell command in a process group of its own. However it ends, the group ends with it, and processes that hold its
 * output open are not waited for: a program that should keep running needs a session of its own (`setsid`).
 */
export async function runProcess(options: HookProcessOptions): Promise<Ended> {
  if (options.signal.aborted) return notRun({ how: 'cancelled' });
  const stop = stopFor(options);
  try {
    const started = await start(options);
    if ('how' in started) return notRun(started);
    const { child, pid } = started;
    const tooMuch: HookFailure = { how: 'printed_too_much', bytesMax: STDOUT_BYTES_MAX };
    const printed = new Printed(child, STDOUT_BYTES_MAX, () => stop.now(tooMuch));
    const happened = await Promise.race([ownEnd(child), stop.reached]);
    const isAllRead = happened.type === 'exited' && (await drain(printed, stop.reached));
    // Processes that held its output open had their time already.
    const endRest = isAllRead ? endLeftovers : endGroup;
    const leftRunning = happened.type !== 'stopped' && (await endRest(pid));
    if (happened.type === 'stopped') {
      await endGroup(pid);
      options.stopped();
    }
    printed.release();
    return {
      end:
        happened.type === 'exited'
          ? { ...happened, isAllRead }
          : { type: 'failed', failure: happened.failure },
      stdout: printed.stdout,
      stderr: printed.stderr,
      leftRunning,
    };
  } finally {
    stop.forget();
  }
}

export const notRun = (failure: HookFailure): Ended => ({
  end: { type: 'failed', failure },
  stdout: Buffer.alloc(0),
  stderr: '',
  leftRunning: false,
});

type Stopped = { readonly type: 'stopped'; readonly failure: HookFailure };
type Stop = {
  readonly reached: Promise<Stopped>;
  readonly now: (failure: HookFailure) => void;
  readonly forget: () => void;
};

function stopFor({ timeoutMs, begunAt, signal }: HookProcessOptions): Stop {
  let now: Stop['now'] = () => {};
  const reached = new Promise<Stopped>((resolve) => {
    now = (failure) => resolve({ type: 'stopped', failure });
  });
  const cancel = () => now({ how: 'cancelled' });
  const leftMs = timeoutMs - (performance.now() - begunAt);
  const timer = setTimeout(() => now({ how: 'timed_out', afterMs: timeoutMs }), leftMs);
  signal.addEventListener('abort', cancel, { once: true });
  const forget = () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  };
  return { reached, now, forget };
}

type Started = { readonly child: ChildProcess; readonly pid: number };

async function start({
  command,
  directory,
  environment,
  input,
}: HookProcessOptions): Promise<Started | HookFailure> {
  try {
    const child: ChildProcess = spawn(shell(), ['-c', command], {
      cwd: directory,
      env: environment,
      stdio: 'pipe',
      detached: true,
    });
    if (child.pid === undefined) throw await errorOf(child);
    // A hook need not read its input, and may close its output.
    for (const stream of child.stdio) stream?.on('error', () => {});
    child.stdin?.end(input);
    return { child, pid: child.pid };
  } catch (error) {
    // The system says the same of a missing directory and a missing shell.
    const reason = error instanceof Error ? error.message : String(error);
    return { how: 'not_started', message: existsSync(directory) ? reason : `${directory} does not exist` };
  }
}

/** Hooks are written for bash. Looked for by its place first: the search path of a project may lead to one of its own. */
const shell = () =>
  ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'].find((path) => existsSync(path)) ?? 'bash';

const errorOf = (child: ChildProcess): Promise<Error> =>
  new Promise((resolve) => child.once('error', resolve));

type OwnEnd =
  | { readonly type: 'exited'; readonly code: number }
  | { readonly type: 'killed'; readonly failure: HookFailure };

const ownEnd = (child: ChildProcess): Promise<OwnEnd> =>
  new Promise((resolve) => {
    child.once('exit', (code, signal) =>
      resolve(
        code === null
          ? { type: 'killed', failure: { how: 'killed', signal: String(signal) } }
          : { type: 'exited', code },
      ),
    );
  });

const DRAIN_MS = 100; // what a hook prints through another process of its own arrives well within this

/** Waits a little for what is still on its way. Says whether that was all. */
async function drain(printed: Printed, stopped: Promise<Stopped>): Promise<boolean> {
  const timer = new AbortController();
  const { signal } = timer;
  const isAll = await Promise.race([
    printed.closed().then(() => true),
    delay(DRAIN_MS, false, { signal }).catch(() => false),
    stopped.then(() => false),
  ]);
  timer.abort();
  // After a pause of the whole program, what the pipe holds is read only now.
  if (!isAll) await setImmediate();
  return isAll;
}
