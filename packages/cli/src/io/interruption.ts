import type { EndSignal } from './end-signals.js';
import type { Io } from './io.js';

/** Runs work with a signal that aborts when the program is to end (Ctrl-C, SIGTERM, SIGHUP), once `onSignal` is done. */
export async function untilInterrupted<T>(
  io: Io,
  work: (signal: AbortSignal) => Promise<T>,
  onSignal: (signal: EndSignal) => Promise<void> = async () => {},
): Promise<T> {
  const interrupted = new AbortController();
  const offInterrupt = io.onInterrupt(
    (signal) => void onSignal(signal).finally(() => interrupted.abort(signal)),
  );
  try {
    return await work(interrupted.signal);
  } finally {
    offInterrupt();
  }
}
