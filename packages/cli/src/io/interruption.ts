import type { Io } from './io.js';

/** Runs work with a signal that aborts on Ctrl-C, and on the given signals of the process. */
export async function untilInterrupted<T>(
  io: Io,
  work: (signal: AbortSignal) => Promise<T>,
  signals: readonly NodeJS.Signals[] = [],
): Promise<T> {
  const interrupted = new AbortController();
  const abort = () => interrupted.abort();
  const offInterrupt = io.onInterrupt(abort);
  for (const name of signals) process.on(name, abort);
  try {
    return await work(interrupted.signal);
  } finally {
    offInterrupt();
    for (const name of signals) process.off(name, abort);
  }
}
