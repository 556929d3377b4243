import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionShell } from '@countersign/engine';
import type { Live } from '@countersign/protocol';

/** Faster than an eye follows; each update holds all that is shown, so more of them cost much. */
const SHOWN_EVERY_MS = 100;

/** Passes on live output of running calls, at most once per interval; the latest counts. Ends with the signal or the session. */
export async function followLive(
  session: SessionShell,
  signal: AbortSignal,
  onLive: (live: Live) => void,
): Promise<void> {
  for await (const batch of session.events(session.seq, signal)) {
    const lives = batch.flatMap((delivery) => ('live' in delivery ? [delivery.live] : []));
    for (const live of lives) onLive(live);
    if (lives.length > 0) await sleep(SHOWN_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}
