import { setImmediate } from 'node:timers/promises';
import { type Journal, type Recorded, readPages } from '@countersign/engine';
import { CHARS_PER_PAGE } from './fact-pages.js';

/** All facts of a session, a page at a time; between two of them others get their turn. */
export async function* readFacts(journal: Journal, sessionId: string): AsyncGenerator<readonly Recorded[]> {
  for await (const page of readPages(journal, sessionId, 0, CHARS_PER_PAGE)) {
    yield page;
    await setImmediate();
  }
}
