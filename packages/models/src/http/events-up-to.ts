import type { HttpCall } from './call.js';
import { postForEvents, type ServerEvent } from './events.js';

/** An answer whose last event has come mostly ends in the same packet; longer than this, a new connection is cheaper. */
const LINGER_MS = 100;

/**
 * The events of an answer up to its last. What may follow is read away, so that the connection can be kept, but not
 * waited for: some servers leave an answer open that is complete.
 */
export async function* eventsUpTo(
  call: HttpCall,
  signal: AbortSignal,
  isLast: (event: ServerEvent) => boolean,
): AsyncGenerator<ServerEvent> {
  const enough = new AbortController();
  const onAbort = () => enough.abort(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort);
  const events = postForEvents(call, enough.signal);
  try {
    for (let next = await events.next(); !next.done; next = await events.next()) {
      yield next.value;
      if (isLast(next.value)) return await readAway(events, enough);
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    await events.return(undefined);
  }
}

async function readAway(events: AsyncGenerator<ServerEvent>, enough: AbortController): Promise<void> {
  const timer = setTimeout(() => enough.abort(), LINGER_MS);
  try {
    while (!(await events.next()).done);
  } catch {
    // The answer is complete, however its connection ends.
  } finally {
    clearTimeout(timer);
  }
}
