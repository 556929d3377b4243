import { setImmediate } from 'node:timers/promises';
import type { Journal, Recorded } from '@countersign/engine';
import { FACTS_PER_READ } from '../limits.js';

/** All facts of a session, a page at a time; between two of them others get their turn. */
export async function* readFacts(journal: Journal, sessionId: string): AsyncGenerator<readonly Recorded[]> {
  for (let next = 0; ; ) {
    const page = await journal.read(sessionId, next, FACTS_PER_READ);
    const last = page.at(-1);
    if (!last) return;
    next = last.seq + 1;
    yield page;
    await setImmediate();
  }
}
