import { setTimeout } from 'node:timers/promises';

/** Waits; throws what the signal is aborted with. */
export async function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  try {
    await setTimeout(delayMs, undefined, { signal });
  } catch {
    signal.throwIfAborted();
  }
}
