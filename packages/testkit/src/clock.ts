import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Measures time as an idle machine would: without the time in which this thread was ready to run and the machine ran
 * something else. Waiting for timers, files and other processes counts in full.
 */
export function stopwatch(): () => number {
  const began = performance.now();
  const before = scheduling();
  return () => {
    const waitedMs = scheduling().waitedMs - before.waitedMs;
    return performance.now() - began - waitedMs;
  };
}

export type Timed<T> = {
  readonly result: T;
  readonly ms: number;
  /** How much of that may be due to the machine; near zero on an idle one. */
  readonly lateMs: number;
};

/** A process that is stopped and waited for takes this many turns at the processor, its own and those of others. */
const TURNS = 4;

/**
 * Measures work that waits for other processes, which a busy machine keeps from running. Beside it, a process that does
 * nothing is run again and again: the longest that this took shows how late the machine is in this very moment.
 */
export async function timed<T>(work: () => Promise<T>): Promise<Timed<T>> {
  const stop = new AbortController();
  const longest = longestRunMs(stop.signal);
  try {
    const began = performance.now();
    const result = await work();
    const ms = performance.now() - began;
    stop.abort();
    return { result, ms, lateMs: TURNS * (await longest) };
  } finally {
    stop.abort();
    await longest;
  }
}

const RUNS_MIN = 15; // a moment is too short to be judged by fewer
const RUNS_APART_MS = 15;

async function longestRunMs(signal: AbortSignal): Promise<number> {
  let longest = 0;
  for (let runs = 0; runs < RUNS_MIN || !signal.aborted; runs += 1) {
    longest = Math.max(longest, await runMs());
    await delay(RUNS_APART_MS);
  }
  return longest;
}

/** Without what this thread did meanwhile: that is the work under test, and must not excuse itself. */
async function runMs(): Promise<number> {
  const began = performance.now();
  const before = scheduling();
  await once(spawn('true', { stdio: 'ignore' }), 'exit');
  const tookMs = performance.now() - began;
  return Math.max(0, tookMs - (scheduling().ranMs - before.ranMs));
}

const IDLE_START_MS = 100; // twice what Node takes to start on an idle machine
const STARTS = 2;

/**
 * How many times as long as on an idle machine a program takes in this moment, at least once: the measure for limits of
 * work that is mostly other programs' own.
 */
export async function slowdown(): Promise<number> {
  let longest = 0;
  for (let starts = 0; starts < STARTS; starts += 1) {
    const began = performance.now();
    await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit');
    longest = Math.max(longest, performance.now() - began);
  }
  return Math.max(1, longest / IDLE_START_MS);
}

/** How long this thread has run, and how long it has waited for a processor. Zero where the system does not say. */
function scheduling(): { readonly ranMs: number; readonly waitedMs: number } {
  try {
    const [ran, waited] = readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ');
    return { ranMs: Number(ran) / 1e6, waitedMs: Number(waited) / 1e6 };
  } catch {
    return { ranMs: 0, waitedMs: 0 };
  }
}
